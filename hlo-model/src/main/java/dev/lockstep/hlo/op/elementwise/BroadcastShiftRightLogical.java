package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code chlo.broadcast_shift_right_logical}: Op shift_right_logical with operands broadcast to a
 * common shape.
 */
public final class BroadcastShiftRightLogical {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_shift_right_logical")
          .summary("Op shift_right_logical with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(ShiftRightLogical.DEF))
          .build();

  private BroadcastShiftRightLogical() {}
}
