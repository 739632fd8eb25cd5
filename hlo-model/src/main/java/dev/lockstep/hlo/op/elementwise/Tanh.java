package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.tanh}: hyperbolic tangent. */
public final class Tanh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.tanh")
          .hlo("tanh")
          .summary("Hyperbolic tangent")
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("I2", "the accuracy fits its mode", Accuracy::check)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("tanh").onReal(Math::tanh).onComplex(Complexes::tanh))
          .build();

  private Tanh() {}
}
