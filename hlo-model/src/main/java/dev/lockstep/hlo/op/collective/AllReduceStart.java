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
          .constraint("C1", "no id stands twice", GroupRules.uniqueIds())
          .constraint("C3", "the ids are 0, 1 and so on", GroupRules.denseIds())
          .moduleConstraint("C4", "global ids need a channel and groups", GroupRules.globalIds())
          .constraint("C6", "results have the shapes of the operands", GroupRules.same(false))
          .semantics(new AllReduce.Meaning())
          .build();

  private AllReduceStart() {}
}
