package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.reduce}. */
public final class Reduce {
  /** The dimensions that are folded. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reduce")
          .hlo("reduce")
          .summary("Folds dimensions with a function")
          .form(MlirForm.REDUCE)
          .attributes(DIMENSIONS)
          .bodies("to_apply")
          .build();

  private Reduce() {}
}
