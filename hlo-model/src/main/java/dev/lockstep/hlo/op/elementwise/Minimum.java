package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.minimum}: smaller of two; NaN wins. */
public final class Minimum {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.minimum")
          .hlo("minimum")
          .summary("Smaller of two; NaN wins")
          .form(MlirForm.SAME_TYPES)
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .build();

  private Minimum() {}
}
