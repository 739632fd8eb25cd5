package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.select}: picks from two operands by a predicate. */
public final class Select {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.select")
          .hlo("select")
          .summary("Picks from two operands by a predicate")
          .form(MlirForm.SELECT)
          .trait(Trait.ELEMENTWISE)
          .build();

  private Select() {}
}
