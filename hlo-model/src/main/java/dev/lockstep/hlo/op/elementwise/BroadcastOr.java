package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_or}: Op or with operands broadcast to a common shape. */
public final class BroadcastOr {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_or")
          .summary("Op or with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Or.DEF))
          .build();

  private BroadcastOr() {}
}
