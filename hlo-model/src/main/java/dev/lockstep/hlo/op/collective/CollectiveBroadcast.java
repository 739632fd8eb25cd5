package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.collective_broadcast}, HLO's {@code collective-broadcast}. */
public final class CollectiveBroadcast {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.collective_broadcast")
          .hlo("collective-broadcast")
          .summary("Gives the first member's operand to all")
          .inherent("replica_groups", "channel_handle", "has_dynamic_root")
          .trait(Trait.COLLECTIVE)
          .build();

  private CollectiveBroadcast() {}
}
