package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_eq}. */
public final class CheckExpectEq {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_eq")
          .summary("Fails unless two tensors are equal")
          .trait(Trait.SIDE_EFFECT)
          .local((op, in) -> Checks.equal(op, (Literal) in.get(0), (Literal) in.get(1)))
          .build();

  private CheckExpectEq() {}
}
