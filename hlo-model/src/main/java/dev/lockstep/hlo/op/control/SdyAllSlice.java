package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyMoves;

/** {@code sdy.all_slice}. */
public final class SdyAllSlice {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_slice")
          .summary("Cuts into shards along axes")
          .inherent("slicing_axes", "out_sharding")
          .moduleConstraint(
              "C1",
              "slicing axes come behind those of the operand",
              ShardyMoves.slices("slicing_axes"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllSlice() {}
}
