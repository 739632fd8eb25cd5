package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_eq_const}. */
public final class CheckExpectEqConst {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_eq_const")
          .summary("Fails unless a tensor equals a constant")
          .form(MlirForm.SPECIAL)
          .inherent("value")
          .trait(Trait.SIDE_EFFECT)
          .build();

  private CheckExpectEqConst() {}
}
