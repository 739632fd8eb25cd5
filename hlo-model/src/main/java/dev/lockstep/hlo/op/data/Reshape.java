package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.reshape}: same elements under another shape. */
public final class Reshape {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reshape")
          .hlo("reshape")
          .summary("Same elements under another shape")
          .form(MlirForm.UNARY_FUNCTION)
          .build();

  private Reshape() {}
}
