package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.TensorType;

/** Rules that the batch normalisations share. */
final class NormalizationRules {
  private NormalizationRules() {}

  /** The feature dimension is one of the operand. */
  static void checkFeatureIndex(TensorRule.Case it) {
    long dim = Normalization.FEATURE_INDEX.get(it.operation());
    it.require(
        DimensionRules.has(it.operand(0), dim),
        "feature_index %d is not one of %s",
        dim,
        it.operand(0));
  }

  /** All operands and results have elements of one type. */
  static Constraint.Check elements() {
    return TensorRule.of(
        it -> {
          for (int i = 1; i < it.operands(); i++) {
            it.require(
                it.sameElements(it.operand(0), it.operand(i)),
                "operands have elements of types %s and %s",
                it.operand(0).element(),
                it.operand(i).element());
          }
          for (int i = 0; i < it.results().size(); i++) {
            it.require(
                it.sameElements(it.operand(0), it.result(i)),
                "the operand has elements of type %s but result %d of type %s",
                it.operand(0).element(),
                i,
                it.result(i).element());
          }
        });
  }

  /** Operand {@code i} has an element for each feature. */
  static Constraint.Check operandSize(int i) {
    return TensorRule.of(it -> size(it, "operand " + i, it.operand(i)));
  }

  /** Result {@code i} has an element for each feature. */
  static Constraint.Check resultSize(int i) {
    return TensorRule.of(it -> size(it, "result " + i, it.result(i)));
  }

  private static void size(TensorRule.Case it, String what, TensorType type) {
    long dim = Normalization.FEATURE_INDEX.get(it.operation());
    if (DimensionRules.has(it.operand(0), dim)) {
      it.require(
          type.rank() == 1 && TensorRule.agree(type.dim(0), it.operand(0).dim((int) dim)),
          "%s must have an element for each of the %d features, not type %s",
          what,
          it.operand(0).dim((int) dim),
          type);
    }
  }

  /** Result 0 has the type of the operand. */
  static void checkResult(TensorRule.Case it) {
    it.require(
        it.agree(it.operand(0), it.result()),
        "the operand has type %s but the result has type %s",
        it.operand(0),
        it.result());
  }

  /** The operand, the gradient and result 0 have one shape. */
  static void checkGradient(TensorRule.Case it) {
    it.require(
        TensorRule.agreeInShape(it.operand(0), it.operand(4))
            && TensorRule.agreeInShape(it.operand(0), it.result()),
        "operand %s, grad_output %s and grad_operand %s must have one shape",
        it.operand(0),
        it.operand(4),
        it.result());
  }

  /** What there is for each feature has one shape. */
  static void checkFeatures(TensorRule.Case it) {
    for (int i = 2; i < 4; i++) {
      it.require(
          TensorRule.agreeInShape(it.operand(1), it.operand(i)),
          "operands %s and %s must have one shape",
          it.operand(1),
          it.operand(i));
    }
    for (int i = 1; i < it.results().size(); i++) {
      it.require(
          TensorRule.agreeInShape(it.operand(1), it.result(i)),
          "operand %s and result %s must have one shape",
          it.operand(1),
          it.result(i));
    }
  }
}
