package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.manual_computation}. */
public final class SdyManualComputation {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.manual_computation")
          .summary("Runs its body on shards along manual axes")
          .inherent("in_shardings", "out_shardings", "manual_axes")
          .semantics(Semantics.Control.MANUAL)
          .build();

  private SdyManualComputation() {}
}
