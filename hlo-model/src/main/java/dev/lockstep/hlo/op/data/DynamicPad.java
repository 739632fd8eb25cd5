package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.dynamic_pad}: pads by amounts given at run time. */
public final class DynamicPad {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_pad")
          .summary("Pads by amounts given at run time")
          .takes(
              TypeClass.TENSOR,
              TypeClass.TENSOR.scalar(),
              TypeClass.SIZES,
              TypeClass.SIZES,
              TypeClass.SIZES)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "operand, padding value and result have elements of one type",
              TensorRule.sameElement(2))
          .constraint(
              "C2", "there are amounts for every dimension", TensorRule.of(DynamicPad::checkCounts))
          .constraint(
              "C3", "interior amounts are not negative", TensorRule.of(DynamicPad::checkInterior))
          .constraint(
              "C4", "the result has the padded shape", TensorRule.of(DynamicPad::checkResult))
          .local(DynamicPad::eval)
          .build();

  private DynamicPad() {}

  private static void checkCounts(TensorRule.Case it) {
    for (int i = 2; i < 5; i++) {
      it.require(
          it.operand(i).rank() == 1 && TensorRule.agree(it.operand(i).dim(0), it.operand(0).rank()),
          "amounts %s for an operand of rank %d",
          it.operand(i),
          it.operand(0).rank());
    }
    it.require(
        it.result().rank() == it.operand(0).rank(),
        "the result %s must have the rank of %s",
        it.result(),
        it.operand(0));
  }

  private static void checkInterior(TensorRule.Case it) {
    ImmutableLongArray interior = it.constant(4);
    if (interior == null) {
      return;
    }
    it.require(
        interior.stream().allMatch(amount -> amount >= 0),
        "interior amounts %s must not be negative",
        interior);
  }

  private static void checkResult(TensorRule.Case it) {
    ImmutableLongArray low = it.constant(2);
    ImmutableLongArray high = it.constant(3);
    ImmutableLongArray interior = it.constant(4);
    int rank = it.operand(0).rank();
    if (low == null
        || high == null
        || interior == null
        || low.length() != rank
        || high.length() != rank
        || interior.length() != rank) {
      return;
    }
    long[] dims = new long[rank];
    for (int d = 0; d < rank; d++) {
      long size = it.operand(0).dim(d);
      dims[d] =
          size == TensorType.DYNAMIC
              ? size
              : size + low.get(d) + Math.max(0, size - 1) * interior.get(d) + high.get(d);
    }
    ShapeRules.result(it, dims);
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Movement.pad(
            (Literal) operands.get(0),
            (Literal) operands.get(1),
            ((Literal) operands.get(2)).toLongs(),
            ((Literal) operands.get(3)).toLongs(),
            ((Literal) operands.get(4)).toLongs()));
  }
}
