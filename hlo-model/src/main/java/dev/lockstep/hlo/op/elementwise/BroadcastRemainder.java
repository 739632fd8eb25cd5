package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_remainder}: Op remainder with operands broadcast to a common shape. */
public final class BroadcastRemainder {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_remainder")
          .summary("Op remainder with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Remainder.DEF))
          .build();

  private BroadcastRemainder() {}
}
