package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.real_dynamic_slice}: cuts out a part whose bounds are given at run time. */
public final class RealDynamicSlice {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.real_dynamic_slice")
          .summary("Cuts out a part whose bounds are given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .build();

  private RealDynamicSlice() {}
}
