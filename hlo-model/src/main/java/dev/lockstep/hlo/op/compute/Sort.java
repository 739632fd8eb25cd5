package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.sort}. */
public final class Sort {
  /** The dimension; the last when absent. */
  public static final AttrKey<Long> DIMENSION = AttrKeys.integerOrList("dimension", "dimensions");

  /** Whether equal elements keep their order; it always does here. */
  public static final AttrKey<Boolean> IS_STABLE = AttrKeys.flag("is_stable", "is_stable");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.sort")
          .hlo("sort")
          .summary("Sorts tensors together along a dimension")
          .attributes(DIMENSION, IS_STABLE)
          .bodies("to_apply")
          .build();

  private Sort() {}
}
