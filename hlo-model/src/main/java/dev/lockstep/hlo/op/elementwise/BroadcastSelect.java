package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code chlo.broadcast_select}: picks from two operands by a predicate, all broadcast to a common
 * shape.
 */
public final class BroadcastSelect {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.broadcast_select")
          .summary("Picks from two operands by a predicate, all broadcast to a common shape")
          .form(MlirForm.FUNCTION_TYPE)
          .takes(TypeClass.PRED, TypeClass.TENSOR.orUnranked(), TypeClass.TENSOR.orUnranked())
          .gives(TypeClass.TENSOR.orUnranked())
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(Select.DEF))
          .build();

  private BroadcastSelect() {}
}
