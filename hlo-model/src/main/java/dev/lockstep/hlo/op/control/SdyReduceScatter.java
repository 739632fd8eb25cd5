package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.reduce_scatter}. */
public final class SdyReduceScatter {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.reduce_scatter")
          .summary("Adds along axes and cuts into shards")
          .inherent("reduce_scatter_axes", "out_sharding")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyReduceScatter() {}
}
