package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.erf}: error function. */
public final class Erf {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.erf")
          .hlo("erf")
          .summary("Error function")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .semantics(UnaryKernel.named("erf").onReal(Special::erf))
          .build();

  private Erf() {}
}
