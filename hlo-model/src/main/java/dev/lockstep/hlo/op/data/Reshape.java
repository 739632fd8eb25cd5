package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.reshape}: same elements under another shape. */
public final class Reshape {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reshape")
          .hlo("reshape")
          .summary("Same elements under another shape")
          .takes(TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "results",
              "sizes of the result are known",
              TensorRule.of(ShapeRules::staticOrBounded))
          .constraint(
              "C1", "operand and result have elements of one type", TensorRule.sameElement(1))
          .constraint(
              "C2",
              "operand and result have as many elements",
              TensorRule.of(
                  it ->
                      it.require(
                          !it.operand(0).isStatic()
                              || !it.result().isStatic()
                              || it.operand(0).count() == it.result().count(),
                          "the operand %s and the result %s differ in their number of elements",
                          it.operand(0),
                          it.result())))
          .local(Reshape::eval)
          .build();

  private Reshape() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    TensorType type = (TensorType) operation.result().type();
    return ImmutableList.of(operand.reshaped(TensorType.of(operand.element(), type.dims())));
  }
}
