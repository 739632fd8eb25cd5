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
          .attributes(Collectives.GROUPS, Collectives.CHANNEL, Collectives.USE_GLOBAL_DEVICE_IDS)
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE, Trait.ASYNC)
          .semantics(new AllReduce.Meaning())
          .build();

  private AllReduceStart() {}
}
