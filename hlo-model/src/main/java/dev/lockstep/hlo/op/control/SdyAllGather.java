package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.all_gather}. */
public final class SdyAllGather {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_gather")
          .summary("Joins shards along axes")
          .inherent("gathering_axes", "out_sharding")
          .moduleConstraint(
              "C1",
              "gathered axes are the last of the operand",
              ShardyMoves.gathers("gathering_axes"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllGather() {}
}
