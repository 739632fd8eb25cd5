package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.all_reduce}. */
public final class SdyAllReduce {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_reduce")
          .summary("Adds along axes")
          .inherent("reduction_op", "reduction_axes", "out_sharding")
          .moduleConstraint(
              "C1", "nothing is cut along the reduced axes", ShardyMoves.reduces("reduction_axes"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllReduce() {}
}
