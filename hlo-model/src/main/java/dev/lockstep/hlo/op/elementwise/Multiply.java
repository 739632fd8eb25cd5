package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.multiply}: product, or on i1 logical and. */
public final class Multiply {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.multiply")
          .hlo("multiply")
          .summary("Product, or on i1 logical and")
          .form(MlirForm.SAME_TYPES)
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .build();

  private Multiply() {}
}
