package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.func_data_flow_edge}. */
public final class SdyFuncDataFlowEdge {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.func_data_flow_edge")
          .summary("A data flow edge of a function argument")
          .inherent("sharding")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyFuncDataFlowEdge() {}
}
