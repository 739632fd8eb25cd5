package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.cholesky}. */
public final class Cholesky {
  /** Whether the factor is lower triangular; false when absent. */
  public static final AttrKey<Boolean> LOWER = AttrKeys.flag("lower", "lower");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.cholesky")
          .hlo("cholesky")
          .summary("Cholesky factor of each matrix")
          .attributes(LOWER)
          .build();

  private Cholesky() {}
}
