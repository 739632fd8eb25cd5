package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.dynamic_reshape}, {@code dynamic-reshape} in HLO: same elements under a shape
 * given at run time.
 */
public final class DynamicReshape {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_reshape")
          .hlo("dynamic-reshape")
          .summary("Same elements under a shape given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .build();

  private DynamicReshape() {}
}
