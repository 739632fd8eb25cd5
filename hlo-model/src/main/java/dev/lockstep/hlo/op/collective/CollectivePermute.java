package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.collective_permute}, HLO's {@code collective-permute}. */
public final class CollectivePermute {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.collective_permute")
          .hlo("collective-permute")
          .summary("Sends operands along pairs of ids")
          .inherent("source_target_pairs", "channel_handle")
          .trait(Trait.COLLECTIVE)
          .build();

  private CollectivePermute() {}
}
