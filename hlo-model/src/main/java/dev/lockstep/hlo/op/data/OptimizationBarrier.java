package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics;

/**
 * {@code stablehlo.optimization_barrier}, {@code opt-barrier} in HLO: gives its operands back once
 * all are there.
 */
public final class OptimizationBarrier {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.optimization_barrier")
          .hlo("opt-barrier")
          .summary("Gives its operands back once all are there")
          .semantics(Semantics.Control.FORWARD)
          .build();

  private OptimizationBarrier() {}
}
