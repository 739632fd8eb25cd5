package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRegions;

/** {@code sdy.manual_computation}. */
public final class SdyManualComputation {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.manual_computation")
          .summary("Runs its body on shards along manual axes")
          .inherent("in_shardings", "out_shardings", "manual_axes")
          .trait(Trait.ISOLATED)
          .moduleConstraint(
              "C1", "manual axes are axes of the one mesh", ShardyRegions.manualAxes())
          .moduleConstraint(
              "C2", "the body works on the parts along manual axes", ShardyRegions.parts())
          .semantics(Semantics.Control.MANUAL)
          .build();

  private SdyManualComputation() {}
}
