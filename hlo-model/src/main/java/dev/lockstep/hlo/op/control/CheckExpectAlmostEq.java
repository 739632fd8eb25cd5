package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code check.expect_almost_eq}. */
public final class CheckExpectAlmostEq {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_almost_eq")
          .summary("Fails unless two tensors are close")
          .form(MlirForm.SPECIAL)
          .inherent("tolerance")
          .trait(Trait.SIDE_EFFECT)
          .build();

  private CheckExpectAlmostEq() {}
}
