package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code add-dependency}. */
public final class AddDependency {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.add_dependency")
          .hlo("add-dependency")
          .summary("Gives the first operand once the second is there")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private AddDependency() {}
}
