package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.reverse}: reverses the order along dimensions. */
public final class Reverse {
  /** The dimensions to reverse. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reverse")
          .hlo("reverse")
          .summary("Reverses the order along dimensions")
          .attributes(DIMENSIONS)
          .takes(TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .constraint(
              "C2",
              "the dimensions are unique",
              TensorRule.of(it -> ShapeRules.unique(it, DIMENSIONS.get(it.operation()))))
          .constraint(
              "C3",
              "the dimensions are those of the operand",
              TensorRule.of(
                  it ->
                      ShapeRules.dimensions(
                          it, DIMENSIONS.get(it.operation()), it.result().rank())))
          .local(Reverse::eval)
          .build();

  private Reverse() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(Movement.reverse((Literal) operands.get(0), DIMENSIONS.get(operation)));
  }
}
