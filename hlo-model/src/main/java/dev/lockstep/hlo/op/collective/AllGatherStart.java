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
          .semantics(new AllGather.Meaning())
          .build();

  private AllGatherStart() {}
}
