package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code copy-start}: starts a copy; gives target, source and context. */
public final class CopyStart {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("hlo.copy_start")
          .hlo("copy-start")
          .summary("Starts a copy; gives target, source and context")
          .form(MlirForm.GENERIC)
          .trait(Trait.ASYNC)
          .build();

  private CopyStart() {}
}
