package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.case}. */
public final class Case {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.case")
          .summary("Runs the body that an index chooses")
          .semantics(Semantics.Control.CASE)
          .build();

  private Case() {}
}
