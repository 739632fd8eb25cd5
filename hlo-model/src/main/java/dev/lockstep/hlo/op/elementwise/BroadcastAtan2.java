package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_atan2}: Op atan2 with operands broadcast to a common shape. */
public final class BroadcastAtan2 {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_atan2")
          .summary("Op atan2 with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Atan2.DEF))
          .build();

  private BroadcastAtan2() {}
}
