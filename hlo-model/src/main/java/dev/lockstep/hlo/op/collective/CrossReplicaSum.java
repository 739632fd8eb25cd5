package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.cross-replica-sum}. */
public final class CrossReplicaSum {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.cross-replica-sum")
          .summary("Adds the operands of all members; an old form of all_reduce")
          .inherent("replica_groups")
          .trait(Trait.COLLECTIVE)
          .build();

  private CrossReplicaSum() {}
}
