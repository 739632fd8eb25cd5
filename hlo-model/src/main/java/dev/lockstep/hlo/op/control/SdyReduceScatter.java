package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.reduce_scatter}. */
public final class SdyReduceScatter {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.reduce_scatter")
          .summary("Adds along axes and cuts into shards")
          .inherent("reduction_op", "reduce_scatter_axes", "out_sharding")
          .moduleConstraint(
              "C1",
              "scattered axes come behind those of the operand",
              ShardyMoves.slices("reduce_scatter_axes"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyReduceScatter() {}
}
