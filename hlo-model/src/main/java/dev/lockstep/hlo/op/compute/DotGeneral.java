package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.dot_general}, HLO's {@code dot}. */
public final class DotGeneral {
  /** Batch dimensions of the left operand. */
  public static final AttrKey<ImmutableLongArray> LHS_BATCH =
      AttrKeys.longs("dot_dimension_numbers.lhs_batching_dimensions", "lhs_batch_dims");

  /** Batch dimensions of the right operand. */
  public static final AttrKey<ImmutableLongArray> RHS_BATCH =
      AttrKeys.longs("dot_dimension_numbers.rhs_batching_dimensions", "rhs_batch_dims");

  /** Contracting dimensions of the left operand. */
  public static final AttrKey<ImmutableLongArray> LHS_CONTRACTING =
      AttrKeys.longs("dot_dimension_numbers.lhs_contracting_dimensions", "lhs_contracting_dims");

  /** Contracting dimensions of the right operand. */
  public static final AttrKey<ImmutableLongArray> RHS_CONTRACTING =
      AttrKeys.longs("dot_dimension_numbers.rhs_contracting_dimensions", "rhs_contracting_dims");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dot_general")
          .hlo("dot")
          .summary("Sums products along contracting dimensions")
          .form(MlirForm.DOT_GENERAL)
          .attributes(LHS_BATCH, RHS_BATCH, LHS_CONTRACTING, RHS_CONTRACTING)
          .inherent("precision_config", "algorithm")
          .build();

  private DotGeneral() {}
}
