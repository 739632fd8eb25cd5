package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.atan}: arc tangent. */
public final class Atan {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.atan")
          .summary("Arc tangent")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .semantics(UnaryKernel.named("atan").onReal(Math::atan).onComplex(InverseComplexes::atan))
          .build();

  private Atan() {}
}
