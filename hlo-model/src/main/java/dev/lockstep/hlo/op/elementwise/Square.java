package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.square}: product with itself. */
public final class Square {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.square")
          .summary("Product with itself")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .build();

  private Square() {}
}
