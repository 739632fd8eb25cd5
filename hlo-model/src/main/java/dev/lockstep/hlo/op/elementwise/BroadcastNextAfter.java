package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_next_after}: Op next_after with operands broadcast to a common shape. */
public final class BroadcastNextAfter {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_next_after")
          .summary("Op next_after with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(NextAfter.DEF))
          .build();

  private BroadcastNextAfter() {}
}
