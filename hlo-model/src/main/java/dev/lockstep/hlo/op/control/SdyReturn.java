package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code sdy.return}. */
public final class SdyReturn {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("sdy.return")
          .summary("Ends a region of sdy")
          .form(MlirForm.RETURN)
          .trait(Trait.TERMINATOR)
          .semantics(Semantics.Control.RETURN)
          .build();

  private SdyReturn() {}
}
