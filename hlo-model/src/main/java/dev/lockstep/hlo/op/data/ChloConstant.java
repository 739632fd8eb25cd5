package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.constant}: constant. */
public final class ChloConstant {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.constant")
          .summary("Constant")
          .inherent("value")
          .trait(Trait.CONSTANT)
          .semantics(Constant.DEF.semantics())
          .build();

  private ChloConstant() {}
}
