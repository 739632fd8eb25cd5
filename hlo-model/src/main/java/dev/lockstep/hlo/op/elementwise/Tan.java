package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.tan}: tangent. */
public final class Tan {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.tan")
          .hlo("tan")
          .summary("Tangent")
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("I2", "the accuracy fits its mode", Accuracy::check)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("tan").onReal(Math::tan).onComplex(Complexes::tan))
          .build();

  private Tan() {}
}
