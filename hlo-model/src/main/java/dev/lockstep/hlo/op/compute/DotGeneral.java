package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.kernel.Products;
import dev.lockstep.hlo.op.kernel.Results;

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
          .local(DotGeneral::eval)
          .build();

  private DotGeneral() {}

  /** Returns which dimensions play which part. */
  public static Products.Dimensions dimensions(Operation operation) {
    ImmutableLongArray none = ImmutableLongArray.of();
    return new Products.Dimensions(
        LHS_BATCH.getOr(operation, none),
        RHS_BATCH.getOr(operation, none),
        LHS_CONTRACTING.getOr(operation, none),
        RHS_CONTRACTING.getOr(operation, none));
  }

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Products.multiply(
            Results.literal(operation, operands, 0),
            Results.literal(operation, operands, 1),
            dimensions(operation),
            Results.tensor(operation, 0).element()));
  }
}
