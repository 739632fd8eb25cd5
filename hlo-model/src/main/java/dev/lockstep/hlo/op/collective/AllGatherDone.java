package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code all-gather-done}. */
public final class AllGatherDone {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.all_gather_done")
          .hlo("all-gather-done")
          .summary("Gives the results of an all-gather that was started")
          .trait(Trait.ASYNC)
          .semantics(Semantics.Control.ASYNC_DONE)
          .build();

  private AllGatherDone() {}
}
