package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;
import dev.lockstep.hlo.shard.ShardyRegions;

/** {@code sdy.func_data_flow_edge}. */
public final class SdyFuncDataFlowEdge {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.func_data_flow_edge")
          .summary("A data flow edge of a function argument")
          .inherent("sharding")
          .moduleConstraint(
              "C1",
              "the operand is an argument, or a result of a call, without other uses",
              ShardyRegions.functionEdge())
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyFuncDataFlowEdge() {}
}
