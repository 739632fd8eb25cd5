package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_close}. */
public final class CheckExpectClose {
  /** Largest distance; one when absent. */
  public static final AttrKey<Long> MAX_ULP = AttrKeys.integer("max_ulp_difference", "");

  /** Smallest distance that some pair must have; zero when absent. */
  public static final AttrKey<Long> MIN_ULP = AttrKeys.integer("min_ulp_difference", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_close")
          .summary("Fails unless two tensors are a few representable numbers apart")
          .attributes(MAX_ULP, MIN_ULP)
          .trait(Trait.SIDE_EFFECT)
          .local(
              (op, in) ->
                  Checks.close(
                      op,
                      (Literal) in.get(0),
                      (Literal) in.get(1),
                      MIN_ULP.getOr(op, 0L),
                      MAX_ULP.getOr(op, 1L)))
          .build();

  private CheckExpectClose() {}
}
