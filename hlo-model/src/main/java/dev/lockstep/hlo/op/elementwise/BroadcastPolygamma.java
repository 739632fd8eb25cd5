package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.broadcast_polygamma}: Op polygamma with operands broadcast to a common shape. */
public final class BroadcastPolygamma {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_polygamma")
          .summary("Op polygamma with operands broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("broadcast_dimensions")
          .local(new Broadcasting(Polygamma.DEF))
          .build();

  private BroadcastPolygamma() {}
}
