package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.dynamic_pad}: pads by amounts given at run time. */
public final class DynamicPad {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_pad")
          .summary("Pads by amounts given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .build();

  private DynamicPad() {}
}
