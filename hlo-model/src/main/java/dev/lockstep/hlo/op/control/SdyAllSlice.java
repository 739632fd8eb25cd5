package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.all_slice}. */
public final class SdyAllSlice {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_slice")
          .summary("Cuts into shards along axes")
          .inherent("slicing_axes", "out_sharding")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllSlice() {}
}
