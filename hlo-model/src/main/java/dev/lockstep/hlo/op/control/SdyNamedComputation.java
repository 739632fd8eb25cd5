package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.named_computation}. */
public final class SdyNamedComputation {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.named_computation")
          .summary("Runs its body under a name")
          .inherent("name", "in_shardings", "out_shardings")
          .semantics(Semantics.Control.CALL)
          .build();

  private SdyNamedComputation() {}
}
