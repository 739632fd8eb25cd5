package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code stablehlo.dynamic_update_slice}, {@code dynamic-update-slice} in HLO: replaces a part at a
 * place given at run time.
 */
public final class DynamicUpdateSlice {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_update_slice")
          .hlo("dynamic-update-slice")
          .summary("Replaces a part at a place given at run time")
          .takesFirst(1, TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "operand and result have one type",
              TensorRule.of(
                  it ->
                      it.require(
                          it.agree(it.operand(0), it.result()),
                          "the operand has type %s but the result has type %s",
                          it.operand(0),
                          it.result())))
          .constraint(
              "C2", "operand and update have elements of one type", TensorRule.sameElement(2))
          .constraint(
              "C3",
              "operand and update have one rank",
              TensorRule.of(
                  it ->
                      it.require(
                          it.operand(0).rank() == it.operand(1).rank(),
                          "an update of rank %s for an operand of rank %s",
                          it.operand(1).rank(),
                          it.operand(0).rank())))
          .constraint(
              "C4",
              "there is an index for every dimension",
              TensorRule.of(it -> ShapeRules.starts(it, 2)))
          .constraint("C5", "indices have one type", TensorRule.of(it -> ShapeRules.oneType(it, 2)))
          .constraint(
              "C6",
              "the update fits into the operand",
              TensorRule.of(DynamicUpdateSlice::checkSizes))
          .local(DynamicUpdateSlice::eval)
          .build();

  private DynamicUpdateSlice() {}

  private static void checkSizes(TensorRule.Case it) {
    TensorType operand = it.operand(0);
    TensorType update = it.operand(1);
    for (int d = 0; d < Math.min(operand.rank(), update.rank()); d++) {
      it.require(
          operand.dim(d) == TensorType.DYNAMIC || update.dim(d) <= operand.dim(d),
          "dimension %s of the update %s does not fit into %s",
          d,
          update,
          operand);
    }
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    Literal update = (Literal) operands.get(1);
    long[] start =
        DataKeys.clampedStart(
            operands.subList(2, operands.size()), operand.dims(), update.dims().toArray());
    return ImmutableList.of(Movement.update(operand, update, start));
  }
}
