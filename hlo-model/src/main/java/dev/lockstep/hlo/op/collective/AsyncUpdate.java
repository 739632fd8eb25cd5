package dev.lockstep.hlo.op.collective;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** HLO's {@code async-update}. */
public final class AsyncUpdate {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.async_update")
          .hlo("async-update")
          .summary("Passes a started operation on")
          .bodies("calls")
          .trait(Trait.ASYNC)
          .semantics(Semantics.Control.ASYNC_UPDATE)
          .build();

  private AsyncUpdate() {}
}
