package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.broadcast_subtract}: Op subtract with operands broadcast to a common shape. */
public final class BroadcastSubtract {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_subtract")
          .summary("Op subtract with operands broadcast to a common shape")
          .inherent("broadcast_dimensions")
          .takes(
              TypeClass.TENSOR.orPerAxis().orUnranked(), TypeClass.TENSOR.orPerAxis().orUnranked())
          .gives(TypeClass.TENSOR.orPerAxis().orUnranked())
          .constraint(
              "C1", "operands and result have elements of one type", TensorRule.sameElement(2))
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(Subtract.DEF))
          .build();

  private BroadcastSubtract() {}
}
