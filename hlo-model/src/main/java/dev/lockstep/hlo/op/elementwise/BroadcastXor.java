package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_xor}: Op xor with operands broadcast to a common shape. */
public final class BroadcastXor {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_xor")
          .summary("Op xor with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Xor.DEF))
          .build();

  private BroadcastXor() {}
}
