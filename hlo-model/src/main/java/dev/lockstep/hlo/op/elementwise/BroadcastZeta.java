package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_zeta}: Op zeta with operands broadcast to a common shape. */
public final class BroadcastZeta {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_zeta")
          .summary("Op zeta with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Zeta.DEF))
          .build();

  private BroadcastZeta() {}
}
