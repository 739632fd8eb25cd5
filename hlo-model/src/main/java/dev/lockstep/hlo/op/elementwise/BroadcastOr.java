package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.broadcast_or}: Op or with operands broadcast to a common shape. */
public final class BroadcastOr {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_or")
          .summary("Op or with operands broadcast to a common shape")
          .inherent("broadcast_dimensions")
          .takes(TypeClass.PRED_OR_INT.orUnranked(), TypeClass.PRED_OR_INT.orUnranked())
          .gives(TypeClass.PRED_OR_INT.orUnranked())
          .constraint(
              "C1", "operands and result have elements of one type", TensorRule.sameElement(2))
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(Or.DEF))
          .build();

  private BroadcastOr() {}
}
