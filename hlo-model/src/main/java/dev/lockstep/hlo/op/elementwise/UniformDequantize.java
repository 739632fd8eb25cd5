package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.uniform_dequantize}: turns quantized numbers into floats. */
public final class UniformDequantize {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.uniform_dequantize")
          .summary("Turns quantized numbers into floats")
          .form(MlirForm.UNARY_FUNCTION)
          .trait(Trait.ELEMENTWISE)
          .semantics(new Semantics.Unsupported("quantized types are not modelled"))
          .build();

  private UniformDequantize() {}
}
