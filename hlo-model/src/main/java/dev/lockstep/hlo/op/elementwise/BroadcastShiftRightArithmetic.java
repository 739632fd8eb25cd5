package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code chlo.broadcast_shift_right_arithmetic}: Op shift_right_arithmetic with operands broadcast
 * to a common shape.
 */
public final class BroadcastShiftRightArithmetic {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_shift_right_arithmetic")
          .summary("Op shift_right_arithmetic with operands broadcast to a common shape")
          .inherent("broadcast_dimensions")
          .takes(
              TypeClass.TENSOR.orPerAxis().orUnranked(), TypeClass.TENSOR.orPerAxis().orUnranked())
          .gives(TypeClass.TENSOR.orPerAxis().orUnranked())
          .constraint(
              "C1", "operands and result have elements of one type", TensorRule.sameElement(2))
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(ShiftRightArithmetic.DEF))
          .build();

  private BroadcastShiftRightArithmetic() {}
}
