package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_complex}: Op complex with operands broadcast to a common shape. */
public final class BroadcastComplex {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_complex")
          .summary("Op complex with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Complex.DEF))
          .build();

  private BroadcastComplex() {}
}
