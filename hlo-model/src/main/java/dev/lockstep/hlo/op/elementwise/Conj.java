package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.conj}: complex conjugate. */
public final class Conj {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.conj")
          .summary("Complex conjugate")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .build();

  private Conj() {}
}
