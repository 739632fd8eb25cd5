package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.if}. */
public final class If {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.if")
          .summary("Runs one of two bodies")
          .semantics(Semantics.Control.IF)
          .build();

  private If() {}
}
