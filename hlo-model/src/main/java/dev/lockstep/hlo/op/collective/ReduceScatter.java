package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.reduce_scatter}, HLO's {@code reduce-scatter}. */
public final class ReduceScatter {
  /** The dimension that is cut. */
  public static final AttrKey<Long> DIMENSION =
      AttrKeys.integerOrList("scatter_dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reduce_scatter")
          .hlo("reduce-scatter")
          .summary("Folds the operands of all members and gives each a part")
          .attributes(DIMENSION)
          .inherent("replica_groups", "channel_handle", "use_global_device_ids")
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE)
          .build();

  private ReduceScatter() {}
}
