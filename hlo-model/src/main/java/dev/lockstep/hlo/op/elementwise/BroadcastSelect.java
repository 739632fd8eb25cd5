package dev.lockstep.hlo.op.elementwise;

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
          .takes(
              TypeClass.PRED,
              TypeClass.TENSOR.orPerAxis().orUnranked(),
              TypeClass.TENSOR.orPerAxis().orUnranked())
          .gives(TypeClass.TENSOR.orPerAxis().orUnranked())
          .constraint(
              "C1",
              "choices and result have elements of one type",
              TensorRule.of(
                  it ->
                      it.require(
                          it.sameElements(it.operand(1), it.operand(2))
                              && it.sameElements(it.operand(1), it.result()),
                          "choices and result have elements of types %s, %s and %s",
                          it.operand(1).element(),
                          it.operand(2).element(),
                          it.result().element())))
          .constraint("C2", "operands fit into the result", TensorRule.of(Broadcasting::check))
          .local(new Broadcasting(Select.DEF))
          .build();

  private BroadcastSelect() {}
}
