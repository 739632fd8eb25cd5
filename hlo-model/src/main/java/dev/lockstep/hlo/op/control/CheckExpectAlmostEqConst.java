package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_almost_eq_const}. */
public final class CheckExpectAlmostEqConst {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_almost_eq_const")
          .summary("Fails unless a tensor is close to a constant")
          .form(MlirForm.SPECIAL)
          .inherent("value", "tolerance")
          .trait(Trait.SIDE_EFFECT)
          .build();

  private CheckExpectAlmostEqConst() {}
}
