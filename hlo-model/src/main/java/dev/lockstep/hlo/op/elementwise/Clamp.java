package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.clamp}: limits the operand to the range from min to max. */
public final class Clamp {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.clamp")
          .hlo("clamp")
          .summary("Limits the operand to the range from min to max")
          .form(MlirForm.SAME_TYPES)
          .trait(Trait.ELEMENTWISE)
          .build();

  private Clamp() {}
}
