package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** HLO's {@code all-gather-start}. */
public final class AllGatherStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.all_gather_start")
          .hlo("all-gather-start")
          .summary("Starts an all-gather; its shape has operands and results")
          .attributes(
              AllGather.DIMENSION,
              Collectives.GROUPS,
              Collectives.CHANNEL,
              Collectives.USE_GLOBAL_DEVICE_IDS)
          .trait(Trait.COLLECTIVE, Trait.ASYNC)
          .constraint(
              "C1",
              "the dimension is one of the operands",
              GroupRules.dimension(AllGather.DIMENSION))
          .constraint("C2", "no id stands twice", GroupRules.uniqueIds())
          .constraint("I3", "all groups have one size", GroupRules.uniformGroups())
          .constraint("C4", "the ids are 0, 1 and so on", GroupRules.denseIds())
          .moduleConstraint("C5", "global ids need a channel and groups", GroupRules.globalIds())
          .semantics(new AllGather.Meaning())
          .build();

  private AllGatherStart() {}
}
