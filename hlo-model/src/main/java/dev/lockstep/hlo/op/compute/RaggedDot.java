package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code chlo.ragged_dot}, HLO's {@code ragged-dot}. */
public final class RaggedDot {
  /** Batch dimensions of the left operand. */
  public static final AttrKey<ImmutableLongArray> LHS_BATCH =
      AttrKeys.longs("ragged_dot_dimension_numbers.lhs_batching_dimensions", "lhs_batch_dims");

  /** Batch dimensions of the right operand. */
  public static final AttrKey<ImmutableLongArray> RHS_BATCH =
      AttrKeys.longs("ragged_dot_dimension_numbers.rhs_batching_dimensions", "rhs_batch_dims");

  /** Contracting dimensions of the left operand. */
  public static final AttrKey<ImmutableLongArray> LHS_CONTRACTING =
      AttrKeys.longs(
          "ragged_dot_dimension_numbers.lhs_contracting_dimensions", "lhs_contracting_dims");

  /** Contracting dimensions of the right operand. */
  public static final AttrKey<ImmutableLongArray> RHS_CONTRACTING =
      AttrKeys.longs(
          "ragged_dot_dimension_numbers.rhs_contracting_dimensions", "rhs_contracting_dims");

  /** The one dimension of the left operand that is cut in groups. */
  public static final AttrKey<ImmutableLongArray> LHS_RAGGED =
      AttrKeys.longs("ragged_dot_dimension_numbers.lhs_ragged_dimensions", "lhs_ragged_dims");

  /** Group dimensions of the right operand; one when the ragged one is not contracted. */
  public static final AttrKey<ImmutableLongArray> RHS_GROUP =
      AttrKeys.longs("ragged_dot_dimension_numbers.rhs_group_dimensions", "rhs_group_dims");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.ragged_dot")
          .hlo("ragged-dot")
          .summary("Multiplies with groups of rows of unequal sizes")
          .attributes(LHS_BATCH, RHS_BATCH, LHS_CONTRACTING, RHS_CONTRACTING, LHS_RAGGED, RHS_GROUP)
          .inherent("precision_config")
          .build();

  private RaggedDot() {}
}
