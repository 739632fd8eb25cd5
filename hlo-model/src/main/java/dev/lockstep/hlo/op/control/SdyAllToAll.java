package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.all_to_all}. */
public final class SdyAllToAll {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_to_all")
          .summary("Moves axes from one dimension to another")
          .inherent("params", "out_sharding")
          .moduleConstraint(
              "C1",
              "axes go from the end of one dimension to that of another",
              ShardyMoves.exchanges("params"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllToAll() {}
}
