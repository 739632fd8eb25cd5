package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRules;

/** {@code sdy.sharding_constraint}. */
public final class SdyShardingConstraint {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.sharding_constraint")
          .summary("States how a tensor is sharded")
          .inherent("sharding")
          .moduleConstraint(
              "C1", "the sharding is one of the result", ShardyRules.onResult("sharding"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyShardingConstraint() {}
}
