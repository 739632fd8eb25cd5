package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_almost_eq_const}. */
public final class CheckExpectAlmostEqConst {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_almost_eq_const")
          .summary("Fails unless a tensor is close to a constant")
          .attributes(CheckExpectEqConst.VALUE, CheckExpectAlmostEq.TOLERANCE)
          .trait(Trait.SIDE_EFFECT)
          .local(
              (op, in) ->
                  Checks.almostEqual(
                      op,
                      (Literal) in.get(0),
                      CheckExpectEqConst.VALUE.get(op),
                      CheckExpectAlmostEq.TOLERANCE.getOr(op, Checks.OP_TOLERANCE)))
          .build();

  private CheckExpectAlmostEqConst() {}
}
