package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.return}. */
public final class Return {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.return")
          .summary("Ends a region and gives its operands back")
          .trait(Trait.TERMINATOR)
          .semantics(Semantics.Control.RETURN)
          .build();

  private Return() {}
}
