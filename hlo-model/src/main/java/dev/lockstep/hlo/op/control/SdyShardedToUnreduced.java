package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.sharded_to_unreduced}. */
public final class SdyShardedToUnreduced {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.sharded_to_unreduced")
          .summary("Makes sharded axes unreduced")
          .inherent("axes", "out_sharding")
          .moduleConstraint(
              "C1",
              "the axes are the last of the operand, and become unreduced",
              ShardyMoves.unreduces("axes"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyShardedToUnreduced() {}
}
