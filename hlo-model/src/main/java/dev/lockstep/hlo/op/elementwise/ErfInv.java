package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.erf_inv}: inverse of the error function. */
public final class ErfInv {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.erf_inv")
          .summary("Inverse of the error function")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .semantics(UnaryKernel.named("erf_inv").onReal(Special::erfInverse))
          .build();

  private ErfInv() {}
}
