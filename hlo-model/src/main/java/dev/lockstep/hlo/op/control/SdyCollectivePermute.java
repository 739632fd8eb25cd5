package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.collective_permute}. */
public final class SdyCollectivePermute {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.collective_permute")
          .summary("Changes the order of axes")
          .inherent("out_sharding")
          .moduleConstraint(
              "C1", "dimensions keep the number of their parts", ShardyMoves.permutes())
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyCollectivePermute() {}
}
