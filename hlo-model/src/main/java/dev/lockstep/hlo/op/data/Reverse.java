package dev.lockstep.hlo.op.data;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.reverse}: reverses the order along dimensions. */
public final class Reverse {
  /** The dimensions to reverse. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reverse")
          .hlo("reverse")
          .summary("Reverses the order along dimensions")
          .form(MlirForm.SAME_TYPES)
          .attributes(DIMENSIONS)
          .keyword("dimensions", "dims")
          .build();

  private Reverse() {}
}
