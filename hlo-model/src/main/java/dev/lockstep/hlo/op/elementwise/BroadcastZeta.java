package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.broadcast_zeta}: Op zeta with operands broadcast to a common shape. */
public final class BroadcastZeta {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_zeta")
          .summary("Op zeta with operands broadcast to a common shape")
          .inherent("broadcast_dimensions")
          .takes(TypeClass.FLOAT.plain().orUnranked(), TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.FLOAT.plain().orUnranked())
          .constraint(
              "C1", "operands and result have elements of one type", TensorRule.sameElement(2))
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(Zeta.DEF))
          .build();

  private BroadcastZeta() {}
}
