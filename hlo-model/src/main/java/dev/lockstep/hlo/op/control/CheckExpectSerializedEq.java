package dev.lockstep.hlo.op.control;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.Semantics;

/** {@code check.expect_serialized_eq}. */
public final class CheckExpectSerializedEq {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("check.expect_serialized_eq")
          .summary("Fails unless a tensor equals one in a file")
          .inherent("probe_id", "iteration")
          .trait(Trait.SIDE_EFFECT)
          .semantics(Semantics.Control.EXPECT_PROBED)
          .build();

  private CheckExpectSerializedEq() {}
}
