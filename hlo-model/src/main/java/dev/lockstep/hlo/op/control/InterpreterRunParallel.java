package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code interpreter.run_parallel}. */
public final class InterpreterRunParallel {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("interpreter.run_parallel")
          .summary("Runs a grid of functions")
          .inherent("programs", "infeed")
          .trait(Trait.SIDE_EFFECT)
          .semantics(Semantics.Control.RUN_PARALLEL)
          .build();

  private InterpreterRunParallel() {}
}
