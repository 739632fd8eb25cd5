package dev.lockstep.hlo.op.control;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code sdy.sharding_group}. */
public final class SdyShardingGroup {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.sharding_group")
          .summary("Puts a tensor into a group of equal sharding")
          .inherent("group_id")
          .trait(Trait.SIDE_EFFECT)
          .local((operation, operands) -> ImmutableList.of())
          .build();

  private SdyShardingGroup() {}
}
