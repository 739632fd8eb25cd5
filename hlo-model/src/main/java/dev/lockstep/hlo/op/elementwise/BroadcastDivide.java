package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_divide}: Op divide with operands broadcast to a common shape. */
public final class BroadcastDivide {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_divide")
          .summary("Op divide with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Divide.DEF))
          .build();

  private BroadcastDivide() {}
}
