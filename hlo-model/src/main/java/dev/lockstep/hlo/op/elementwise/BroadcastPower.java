package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_power}: Op power with operands broadcast to a common shape. */
public final class BroadcastPower {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_power")
          .summary("Op power with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Power.DEF))
          .build();

  private BroadcastPower() {}
}
