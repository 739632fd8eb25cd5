package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code stablehlo.async_start}, HLO's {@code async-start}. */
public final class AsyncStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.async_start")
          .hlo("async-start")
          .summary("Starts the operation in its body")
          .bodies("calls")
          .trait(Trait.ASYNC)
          .semantics(Semantics.Control.ASYNC_START)
          .build();

  private AsyncStart() {}
}
