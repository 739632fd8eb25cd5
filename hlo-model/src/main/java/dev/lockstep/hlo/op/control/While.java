package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.while}. */
public final class While {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.while")
          .hlo("while")
          .summary("Runs a body as long as a condition holds")
          .bodies("condition", "body")
          .semantics(Semantics.Control.WHILE)
          .build();

  private While() {}
}
