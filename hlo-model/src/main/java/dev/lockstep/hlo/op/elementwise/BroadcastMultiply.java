package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_multiply}: Op multiply with operands broadcast to a common shape. */
public final class BroadcastMultiply {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_multiply")
          .summary("Op multiply with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Multiply.DEF))
          .build();

  private BroadcastMultiply() {}
}
