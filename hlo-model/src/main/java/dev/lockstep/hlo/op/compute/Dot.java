package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.dot}. */
public final class Dot {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dot")
          .summary("Multiplies vectors and matrices")
          .form(MlirForm.FUNCTION_TYPE)
          .inherent("precision_config")
          .keyword("precision_config", "precision")
          .build();

  private Dot() {}
}
