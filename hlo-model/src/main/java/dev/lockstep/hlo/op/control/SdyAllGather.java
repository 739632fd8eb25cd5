package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.all_gather}. */
public final class SdyAllGather {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_gather")
          .summary("Joins shards along axes")
          .inherent("gathering_axes", "out_sharding")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllGather() {}
}
