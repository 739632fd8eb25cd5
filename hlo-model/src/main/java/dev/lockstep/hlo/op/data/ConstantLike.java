package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.constant_like}: constant of the shape of the operand. */
public final class ConstantLike {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.constant_like")
          .summary("Constant of the shape of the operand")
          .form(MlirForm.GENERIC)
          .inherent("value")
          .build();

  private ConstantLike() {}
}
