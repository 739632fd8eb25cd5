package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_subtract}: Op subtract with operands broadcast to a common shape. */
public final class BroadcastSubtract {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_subtract")
          .summary("Op subtract with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Subtract.DEF))
          .build();

  private BroadcastSubtract() {}
}
