package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.ElementType;

/** {@code stablehlo.get_dimension_size}, {@code get-dimension-size} in HLO: size of a dimension. */
public final class GetDimensionSize {
  /** The dimension; HLO writes a list of one. */
  public static final AttrKey<Long> DIMENSION = DataKeys.oneOf("dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.get_dimension_size")
          .hlo("get-dimension-size")
          .summary("Size of a dimension")
          .attributes(DIMENSION)
          .takes(TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.INT.scalar())
          .constraint(
              "C1",
              "the dimension is one of the operand",
              TensorRule.of(
                  it ->
                      ShapeRules.dimension(
                          it, DIMENSION.get(it.operation()), it.operand(0).rank())))
          .local(GetDimensionSize::eval)
          .build();

  private GetDimensionSize() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    long size = ((Literal) operands.get(0)).dims().get(Math.toIntExact(DIMENSION.get(operation)));
    return ImmutableList.of(Literal.scalar(ElementType.I32, size));
  }
}
