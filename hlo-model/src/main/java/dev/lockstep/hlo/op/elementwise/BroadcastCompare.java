package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_compare}: compares elements of operands broadcast to a common shape. */
public final class BroadcastCompare {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_compare")
          .summary("Compares elements of operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(Compare.DIRECTION, Compare.TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Compare.DEF))
          .build();

  private BroadcastCompare() {}
}
