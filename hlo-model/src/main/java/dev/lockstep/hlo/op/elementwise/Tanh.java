package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;

/** {@code stablehlo.tanh}: hyperbolic tangent. */
public final class Tanh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.tanh")
          .hlo("tanh")
          .summary("Hyperbolic tangent")
          .form(MlirForm.SAME_TYPES)
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("tanh").onReal(Math::tanh).onComplex(Complexes::tanh))
          .build();

  private Tanh() {}
}
