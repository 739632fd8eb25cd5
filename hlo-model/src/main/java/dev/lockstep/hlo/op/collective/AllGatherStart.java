package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** HLO's {@code all-gather-start}. */
public final class AllGatherStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.all_gather_start")
          .hlo("all-gather-start")
          .summary("Starts an all-gather; gives operands and results")
          .trait(Trait.COLLECTIVE, Trait.ASYNC)
          .build();

  private AllGatherStart() {}
}
