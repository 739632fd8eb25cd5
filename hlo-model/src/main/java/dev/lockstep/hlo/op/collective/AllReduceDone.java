package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code all-reduce-done}. */
public final class AllReduceDone {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.all_reduce_done")
          .hlo("all-reduce-done")
          .summary("Gives the results of an all-reduce that was started")
          .trait(Trait.ASYNC)
          .semantics(Semantics.Control.ASYNC_DONE)
          .build();

  private AllReduceDone() {}
}
