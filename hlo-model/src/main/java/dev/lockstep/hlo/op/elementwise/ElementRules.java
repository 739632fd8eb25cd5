package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;

/** Rules that several operations on elements have. */
final class ElementRules {
  private ElementRules() {}

  /** The result has the elements of the operand, or their real part. */
  static Constraint.Check realPart() {
    return TensorRule.of(
        it ->
            it.require(
                it.sameElements(it.result().element(), it.operand(0).element().realPart()),
                "the result has elements of type %s, not %s",
                it.result().element(),
                it.operand(0).element().realPart()));
  }

  /**
   * One operand is a scalar or has the shape of operand 1.
   *
   * @param name what it is called
   * @param other what operand 1 is called
   */
  static Constraint.Check scalarOrShape(int operand, String name, String other) {
    return TensorRule.of(
        it ->
            it.require(
                it.operand(operand).rank() == 0
                    || TensorRule.agreeInShape(it.operand(operand), it.operand(1)),
                "%s has type %s, %s %s",
                name,
                it.operand(operand),
                other,
                it.operand(1)));
  }
}
