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

/**
 * {@code stablehlo.dynamic_iota}: numbers from zero along a dimension of a shape given at run time.
 */
public final class DynamicIota {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_iota")
          .summary("Numbers from zero along a dimension of a shape given at run time")
          .attributes(Iota.DIMENSION)
          .takes(TypeClass.SIZES)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "the dimension is one of the result",
              TensorRule.of(
                  it ->
                      ShapeRules.dimension(
                          it, Iota.DIMENSION.get(it.operation()), it.result().rank())))
          .constraint(
              "C2", "the result has the sizes", TensorRule.of(it -> ShapeRules.shapeOperand(it, 0)))
          .local(DynamicIota::eval)
          .build();

  private DynamicIota() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    TensorType type =
        TensorType.of(
            ((TensorType) operation.result().type()).element(),
            ImmutableLongArray.copyOf(((Literal) operands.get(0)).toLongs()));
    return ImmutableList.of(Iota.numbers(type, Math.toIntExact(Iota.DIMENSION.get(operation))));
  }
}
