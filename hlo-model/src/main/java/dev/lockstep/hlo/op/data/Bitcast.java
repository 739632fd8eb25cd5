package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code bitcast}: same memory under another shape and layout. */
public final class Bitcast {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.bitcast")
          .hlo("bitcast")
          .summary("Same memory under another shape and layout")
          .form(MlirForm.GENERIC)
          .build();

  private Bitcast() {}
}
