package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.collective_reduce}, HLO's {@code collective-reduce}. */
public final class CollectiveReduce {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.collective_reduce")
          .hlo("collective-reduce")
          .summary("Folds the operands of all members and gives the first the result")
          .inherent("replica_groups", "channel_handle", "use_global_device_ids", "has_dynamic_root")
          .bodies("to_apply")
          .trait(Trait.COLLECTIVE)
          .build();

  private CollectiveReduce() {}
}
