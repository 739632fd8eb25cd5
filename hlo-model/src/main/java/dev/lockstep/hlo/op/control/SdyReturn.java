package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.return}. */
public final class SdyReturn {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.return")
          .summary("Ends a region of sdy")
          .trait(Trait.TERMINATOR)
          .semantics(Semantics.Control.RETURN)
          .build();

  private SdyReturn() {}
}
