package dev.lockstep.hlo.op.data;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.broadcast_in_dim}, {@code broadcast} in HLO: repeats the operand along new and
 * unit dimensions.
 */
public final class BroadcastInDim {
  /** The dimension of the result for each dimension of the operand. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("broadcast_dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.broadcast_in_dim")
          .hlo("broadcast")
          .summary("Repeats the operand along new and unit dimensions")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(DIMENSIONS)
          .keyword("broadcast_dimensions", "dims")
          .build();

  private BroadcastInDim() {}
}
