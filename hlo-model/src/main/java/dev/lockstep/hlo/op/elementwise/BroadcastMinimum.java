package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_minimum}: Op minimum with operands broadcast to a common shape. */
public final class BroadcastMinimum {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_minimum")
          .summary("Op minimum with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Minimum.DEF))
          .build();

  private BroadcastMinimum() {}
}
