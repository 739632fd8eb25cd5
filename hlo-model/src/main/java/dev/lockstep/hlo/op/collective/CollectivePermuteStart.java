package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** HLO's {@code collective-permute-start}. */
public final class CollectivePermuteStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.collective_permute_start")
          .hlo("collective-permute-start")
          .summary("Starts a permute; its shape has operands, results and contexts")
          .attributes(Collectives.PAIRS, Collectives.CHANNEL)
          .trait(Trait.COLLECTIVE, Trait.ASYNC)
          .semantics(new CollectivePermute.Meaning())
          .build();

  private CollectivePermuteStart() {}
}
