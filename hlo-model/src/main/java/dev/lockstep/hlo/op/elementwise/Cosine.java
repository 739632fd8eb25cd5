package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;

/** {@code stablehlo.cosine}: cosine. */
public final class Cosine {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.cosine")
          .hlo("cosine")
          .summary("Cosine")
          .form(MlirForm.SAME_TYPES)
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("cosine").onReal(Math::cos).onComplex(Complexes::cos))
          .build();

  private Cosine() {}
}
