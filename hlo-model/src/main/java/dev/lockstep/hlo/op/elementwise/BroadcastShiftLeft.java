package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_shift_left}: Op shift_left with operands broadcast to a common shape. */
public final class BroadcastShiftLeft {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_shift_left")
          .summary("Op shift_left with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(ShiftLeft.DEF))
          .build();

  private BroadcastShiftLeft() {}
}
