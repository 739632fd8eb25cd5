package dev.lockstep.hlo.op.data;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.broadcast}: repeats the operand along new leading dimensions. */
public final class Broadcast {
  /** Sizes of the new leading dimensions. */
  public static final AttrKey<ImmutableLongArray> SIZES = AttrKeys.longs("broadcast_sizes", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.broadcast")
          .summary("Repeats the operand along new leading dimensions")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(SIZES)
          .keyword("broadcast_sizes", "sizes")
          .build();

  private Broadcast() {}
}
