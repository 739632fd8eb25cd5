package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.all_reduce}, HLO's {@code all-reduce}. */
public final class AllReduce {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.all_reduce")
          .hlo("all-reduce")
          .summary("Folds the operands of all members")
          .inherent("replica_groups", "channel_handle", "use_global_device_ids")
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE)
          .build();

  private AllReduce() {}
}
