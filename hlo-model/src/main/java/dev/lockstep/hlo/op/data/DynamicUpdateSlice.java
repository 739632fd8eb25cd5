package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.dynamic_update_slice}, {@code dynamic-update-slice} in HLO: replaces a part at a
 * place given at run time.
 */
public final class DynamicUpdateSlice {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_update_slice")
          .hlo("dynamic-update-slice")
          .summary("Replaces a part at a place given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .build();

  private DynamicUpdateSlice() {}
}
