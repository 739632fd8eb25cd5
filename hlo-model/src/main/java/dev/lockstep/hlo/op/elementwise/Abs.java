package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.abs}: absolute value; the real magnitude of a complex number. */
public final class Abs {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.abs")
          .hlo("abs")
          .summary("Absolute value; the real magnitude of a complex number")
          .form(MlirForm.SAME_TYPES)
          .trait(Trait.ELEMENTWISE)
          .build();

  private Abs() {}
}
