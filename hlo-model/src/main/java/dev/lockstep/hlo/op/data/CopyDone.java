package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code copy-done}: waits for a copy. */
public final class CopyDone {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.copy_done")
          .hlo("copy-done")
          .summary("Waits for a copy")
          .form(MlirForm.GENERIC)
          .trait(Trait.ASYNC)
          .build();

  private CopyDone() {}
}
