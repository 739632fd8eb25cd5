package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_almost_eq}. */
public final class CheckExpectAlmostEq {
  /** How far elements may be apart; 1e-4 when absent. */
  public static final AttrKey<Double> TOLERANCE =
      AttrKey.of(
          "tolerance",
          "",
          a -> a instanceof Attribute.Real ? (Double) ((Attribute.Real) a).value() : null,
          "a number");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_almost_eq")
          .summary("Fails unless two tensors are close")
          .attributes(TOLERANCE)
          .trait(Trait.SIDE_EFFECT)
          .local(
              (op, in) ->
                  Checks.almostEqual(
                      op,
                      (Literal) in.get(0),
                      (Literal) in.get(1),
                      TOLERANCE.getOr(op, Checks.OP_TOLERANCE)))
          .build();

  private CheckExpectAlmostEq() {}
}
