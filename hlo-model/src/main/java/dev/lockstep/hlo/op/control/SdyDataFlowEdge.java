package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.data_flow_edge}. */
public final class SdyDataFlowEdge {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.data_flow_edge")
          .summary("A source of data flow with a sharding")
          .inherent("sharding")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private SdyDataFlowEdge() {}
}
