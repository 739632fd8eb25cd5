package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code conditional}. */
public final class Conditional {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.conditional")
          .hlo("conditional")
          .summary("Runs the body that a predicate or an index chooses")
          .bodies("true_computation", "false_computation", "branch_computations")
          .semantics(Semantics.Control.CONDITIONAL)
          .build();

  private Conditional() {}
}
