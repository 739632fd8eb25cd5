package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.all_to_all}, HLO's {@code all-to-all}. */
public final class AllToAll {
  /** The dimension that is cut; absent in the tuple form. */
  public static final AttrKey<Long> SPLIT_DIMENSION =
      AttrKeys.integerOrList("split_dimension", "dimensions");

  /** The dimension along which parts are joined; absent in the tuple form. */
  public static final AttrKey<Long> CONCAT_DIMENSION =
      AttrKeys.integerOrList("concat_dimension", "dimensions");

  /** Number of parts, in MLIR. */
  public static final AttrKey<Long> SPLIT_COUNT = AttrKeys.integer("split_count", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.all_to_all")
          .hlo("all-to-all")
          .summary("Gives each member a part of every operand")
          .attributes(SPLIT_DIMENSION, CONCAT_DIMENSION, SPLIT_COUNT)
          .inherent("replica_groups", "channel_handle")
          .trait(Trait.COLLECTIVE)
          .build();

  private AllToAll() {}
}
