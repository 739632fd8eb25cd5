package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_eq_const}. */
public final class CheckExpectEqConst {
  /** What the tensor must be. */
  public static final AttrKey<Literal> VALUE =
      AttrKey.of(
          "value",
          "",
          a -> a instanceof Attribute.Dense ? ((Attribute.Dense) a).literal() : null,
          "a constant");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_eq_const")
          .summary("Fails unless a tensor equals a constant")
          .attributes(VALUE)
          .trait(Trait.SIDE_EFFECT)
          .local((op, in) -> Checks.equal(op, (Literal) in.get(0), VALUE.get(op)))
          .build();

  private CheckExpectEqConst() {}
}
