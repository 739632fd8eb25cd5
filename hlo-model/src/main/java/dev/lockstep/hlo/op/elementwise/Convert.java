package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.convert}: converts to another element type. */
public final class Convert {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.convert")
          .hlo("convert")
          .summary("Converts to another element type")
          .form(MlirForm.UNARY_FUNCTION)
          .trait(Trait.ELEMENTWISE)
          .build();

  private Convert() {}
}
