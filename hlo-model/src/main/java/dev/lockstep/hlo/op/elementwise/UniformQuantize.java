package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.uniform_quantize}: quantizes or requantizes. */
public final class UniformQuantize {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.uniform_quantize")
          .summary("Quantizes or requantizes")
          .form(MlirForm.UNARY_FUNCTION)
          .trait(Trait.ELEMENTWISE)
          .semantics(new Semantics.Unsupported("quantized types are not modelled"))
          .build();

  private UniformQuantize() {}
}
