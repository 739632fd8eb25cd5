package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.async_done}, HLO's {@code async-done}. */
public final class AsyncDone {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.async_done")
          .hlo("async-done")
          .summary("Gives the results of a started operation")
          .bodies("calls")
          .trait(Trait.ASYNC)
          .constraint("C1", "the results are what the future is of", AsyncRules::done)
          .semantics(Semantics.Control.ASYNC_DONE)
          .build();

  private AsyncDone() {}
}
