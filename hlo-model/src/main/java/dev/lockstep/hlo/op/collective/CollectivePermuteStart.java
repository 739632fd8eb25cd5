package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** HLO's {@code collective-permute-start}. */
public final class CollectivePermuteStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.collective_permute_start")
          .hlo("collective-permute-start")
          .summary("Starts a permute; gives operands, results and contexts")
          .trait(Trait.COLLECTIVE, Trait.ASYNC)
          .build();

  private CollectivePermuteStart() {}
}
