package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.all_to_all}. */
public final class SdyAllToAll {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.all_to_all")
          .summary("Moves axes from one dimension to another")
          .inherent("params", "out_sharding")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyAllToAll() {}
}
