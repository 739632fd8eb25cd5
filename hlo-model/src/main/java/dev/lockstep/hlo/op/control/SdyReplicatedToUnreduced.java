package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.replicated_to_unreduced}. */
public final class SdyReplicatedToUnreduced {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.replicated_to_unreduced")
          .summary("Makes replicated axes unreduced")
          .inherent("axes", "out_sharding")
          .moduleConstraint(
              "C1",
              "the operand is the same along the axes, which become unreduced",
              ShardyMoves.splitsCopies("axes"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyReplicatedToUnreduced() {}
}
