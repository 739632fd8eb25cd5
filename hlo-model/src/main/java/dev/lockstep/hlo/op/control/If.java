package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.if}. */
public final class If {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.if")
          .summary("Runs one of two bodies")
          .takes(TypeClass.PRED.scalar())
          .semantics(Semantics.Control.IF)
          .build();

  private If() {}
}
