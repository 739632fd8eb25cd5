package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code chlo.broadcast_shift_right_arithmetic}: Op shift_right_arithmetic with operands broadcast
 * to a common shape.
 */
public final class BroadcastShiftRightArithmetic {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_shift_right_arithmetic")
          .summary("Op shift_right_arithmetic with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(ShiftRightArithmetic.DEF))
          .build();

  private BroadcastShiftRightArithmetic() {}
}
