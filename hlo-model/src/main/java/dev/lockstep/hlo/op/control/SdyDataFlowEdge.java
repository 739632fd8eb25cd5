package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRegions;
import dev.lockstep.hlo.shard.ShardyRules;

/** {@code sdy.data_flow_edge}. */
public final class SdyDataFlowEdge {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.data_flow_edge")
          .summary("A source of data flow with a sharding")
          .inherent("sharding")
          .moduleConstraint(
              "C1", "the operand has a fixed size and no other use", ShardyRegions.edge())
          .moduleConstraint(
              "C2", "the sharding is one of the result", ShardyRules.onResult("sharding"))
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyDataFlowEdge() {}
}
