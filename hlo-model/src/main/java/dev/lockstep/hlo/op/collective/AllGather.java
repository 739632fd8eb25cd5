package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.all_gather}, HLO's {@code all-gather}. */
public final class AllGather {
  /** The dimension along which operands are joined. */
  public static final AttrKey<Long> DIMENSION =
      AttrKeys.integerOrList("all_gather_dim", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.all_gather")
          .hlo("all-gather")
          .summary("Joins the operands of all members")
          .attributes(DIMENSION)
          .inherent("replica_groups", "channel_handle", "use_global_device_ids")
          .trait(Trait.COLLECTIVE)
          .build();

  private AllGather() {}
}
