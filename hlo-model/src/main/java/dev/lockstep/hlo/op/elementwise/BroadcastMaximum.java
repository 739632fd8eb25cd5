package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_maximum}: Op maximum with operands broadcast to a common shape. */
public final class BroadcastMaximum {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_maximum")
          .summary("Op maximum with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Maximum.DEF))
          .build();

  private BroadcastMaximum() {}
}
