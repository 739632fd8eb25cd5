package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.all_reduce}. */
public final class SdyAllReduce {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_reduce")
          .summary("Adds along axes")
          .inherent("reduction_axes", "out_sharding")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllReduce() {}
}
