package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.constant}: constant. */
public final class Constant {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.constant")
          .hlo("constant")
          .summary("Constant")
          .form(MlirForm.CONSTANT)
          .inherent("value")
          .trait(Trait.CONSTANT)
          .build();

  private Constant() {}
}
