package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.set_dimension_size}, {@code set-dimension-size} in HLO: sets the size of a
 * dynamic dimension.
 */
public final class SetDimensionSize {
  /** The dimension; HLO writes a list of one. */
  public static final AttrKey<Long> DIMENSION = DataKeys.oneOf("dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.set_dimension_size")
          .hlo("set-dimension-size")
          .summary("Sets the size of a dynamic dimension")
          .attributes(DIMENSION)
          .takes(TypeClass.TENSOR, TypeClass.INT.scalar())
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "the dimension is one of the operand",
              TensorRule.of(
                  it ->
                      ShapeRules.dimension(
                          it, DIMENSION.get(it.operation()), it.operand(0).rank())))
          .constraint(
              "C2",
              "operand and result have elements of one type and one rank",
              TensorRule.of(
                  it ->
                      it.require(
                          it.sameElements(it.operand(0), it.result())
                              && it.operand(0).rank() == it.result().rank(),
                          "the operand has type %s but the result has type %s",
                          it.operand(0),
                          it.result())))
          .local(SetDimensionSize::eval)
          .build();

  private SetDimensionSize() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    // The value of a dynamic type has its size of the moment.
    Literal operand = (Literal) operands.get(0);
    long size = ((Literal) operands.get(1)).getLong(0);
    int dimension = Math.toIntExact(DIMENSION.get(operation));
    long[] limit = operand.dims().toArray();
    checkArgument(size >= 0 && size <= limit[dimension], "size %s is not within the bound", size);
    limit[dimension] = size;
    return ImmutableList.of(
        Movement.slice(operand, new long[limit.length], limit, DataKeys.ones(limit.length)));
  }
}
