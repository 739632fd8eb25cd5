package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** HLO's {@code all-reduce-start}. */
public final class AllReduceStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.all_reduce_start")
          .hlo("all-reduce-start")
          .summary("Starts an all-reduce; its shape is the result's")
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE, Trait.ASYNC)
          .build();

  private AllReduceStart() {}
}
