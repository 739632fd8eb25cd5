package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.broadcast_compare}: compares elements of operands broadcast to a common shape. */
public final class BroadcastCompare {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_compare")
          .summary("Compares elements of operands broadcast to a common shape")
          .attributes(Compare.DIRECTION, Compare.TYPE)
          .inherent("broadcast_dimensions")
          .takes(
              TypeClass.TENSOR.orPerAxis().orUnranked(), TypeClass.TENSOR.orPerAxis().orUnranked())
          .gives(TypeClass.PRED.orUnranked())
          .constraint(
              "C1",
              "operands have elements of one type",
              TensorRule.of(Broadcasting::checkElements))
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(Compare.DEF))
          .build();

  private BroadcastCompare() {}
}
