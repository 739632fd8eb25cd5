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
          .constraint("C1", "pairs are pairs", GroupRules.pairShape())
          .constraint("C2", "no source stands twice", GroupRules.uniqueEnds(0))
          .constraint("C3", "no target stands twice", GroupRules.uniqueEnds(1))
          .constraint("C4", "no id is negative", GroupRules.naturalPairs())
          .semantics(new CollectivePermute.Meaning())
          .build();

  private CollectivePermuteStart() {}
}
