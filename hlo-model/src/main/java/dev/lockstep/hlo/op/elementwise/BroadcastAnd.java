package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_and}: Op and with operands broadcast to a common shape. */
public final class BroadcastAnd {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_and")
          .summary("Op and with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(And.DEF))
          .build();

  private BroadcastAnd() {}
}
