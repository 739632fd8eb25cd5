package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_add}: Op add with operands broadcast to a common shape. */
public final class BroadcastAdd {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_add")
          .summary("Op add with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Add.DEF))
          .build();

  private BroadcastAdd() {}
}
