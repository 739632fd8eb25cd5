package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.clamp}: limits the operand to the range from min to max. */
public final class Clamp {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.clamp")
          .hlo("clamp")
          .summary("Limits the operand to the range from min to max")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.TENSOR, TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "min is a scalar or has the operand's shape",
              ElementRules.scalarOrShape(0, "min", "the operand"))
          .constraint(
              "C2",
              "max is a scalar or has the operand's shape",
              ElementRules.scalarOrShape(2, "max", "the operand"))
          .constraint("C3", "all have elements of one type", TensorRule.sameElement(3))
          .constraint(
              "C4",
              "operand and result have one type",
              TensorRule.of(
                  it ->
                      it.require(
                          it.agree(it.operand(1), it.result()),
                          "the operand has type %s but the result has type %s",
                          it.operand(1),
                          it.result())))
          .local(Clamp::eval)
          .build();

  private Clamp() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(1);
    Literal low = spread((Literal) operands.get(0), operand);
    Literal high = spread((Literal) operands.get(2), operand);
    BinaryKernel maximum = (BinaryKernel) Maximum.DEF.semantics();
    BinaryKernel minimum = (BinaryKernel) Minimum.DEF.semantics();
    return ImmutableList.of(minimum.apply(maximum.apply(low, operand), high));
  }

  private static Literal spread(Literal bound, Literal operand) {
    return bound.type().rank() == 0 && operand.type().rank() > 0
        ? Literal.splat(operand.type(), bound.rawStorage())
        : bound;
  }
}
