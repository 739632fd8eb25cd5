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
          .constraint("C1", "the body is one operation and a return", AsyncRules::body)
          .constraint("C2", "the body holds a collective or a slice", AsyncRules::kind)
          .constraint("C3", "the operands are what the body takes", AsyncRules::arguments)
          .constraint("C4", "the result is a future of what the body gives", AsyncRules::future)
          .semantics(Semantics.Control.ASYNC_START)
          .build();

  private AsyncStart() {}
}
