package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code fusion}. */
public final class Fusion {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.fusion")
          .hlo("fusion")
          .summary("Runs a computation as one kernel")
          .inherent("kind")
          .bodies("calls")
          .semantics(Semantics.Control.CALL)
          .build();

  private Fusion() {}
}
