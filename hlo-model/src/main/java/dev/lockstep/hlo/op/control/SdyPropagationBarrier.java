package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRegions;

/** {@code sdy.propagation_barrier}. */
public final class SdyPropagationBarrier {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.propagation_barrier")
          .summary("Stops the propagation of shardings")
          .inherent("allowed_direction")
          .moduleConstraint("C1", "one direction is barred", ShardyRegions.barrier())
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyPropagationBarrier() {}
}
