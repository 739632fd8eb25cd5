package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRules;

/** {@code sdy.reshard}. */
public final class SdyReshard {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.reshard")
          .summary("Changes how a tensor is sharded")
          .inherent("sharding")
          .moduleConstraint(
              "C1", "the sharding is one of the result", ShardyRules.onResult("sharding"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyReshard() {}
}
