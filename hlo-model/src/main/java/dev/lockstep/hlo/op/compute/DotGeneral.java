package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Products;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;

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
          .attributes(LHS_BATCH, RHS_BATCH, LHS_CONTRACTING, RHS_CONTRACTING)
          .inherent("precision_config", "algorithm")
          .takesFirst(1, TypeClass.TENSOR, TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint(
              "C1",
              "batch dimensions come in pairs",
              DimensionRules.sameLength(LHS_BATCH, RHS_BATCH))
          .constraint(
              "C2",
              "contracting dimensions come in pairs",
              DimensionRules.sameLength(LHS_CONTRACTING, RHS_CONTRACTING))
          .constraint(
              "C3",
              "no left dimension stands twice",
              DimensionRules.unique(LHS_BATCH, LHS_CONTRACTING))
          .constraint(
              "C4",
              "no right dimension stands twice",
              DimensionRules.unique(RHS_BATCH, RHS_CONTRACTING))
          .constraint(
              "C5", "left batch dimensions are in range", DimensionRules.within(0, LHS_BATCH))
          .constraint(
              "C6",
              "left contracting dimensions are in range",
              DimensionRules.within(0, LHS_CONTRACTING))
          .constraint(
              "C7", "right batch dimensions are in range", DimensionRules.within(1, RHS_BATCH))
          .constraint(
              "C8",
              "right contracting dimensions are in range",
              DimensionRules.within(1, RHS_CONTRACTING))
          .constraint("C9", "batch sizes are equal", DimensionRules.sameSizes(LHS_BATCH, RHS_BATCH))
          .constraint(
              "C10",
              "contracting sizes are equal",
              DimensionRules.sameSizes(LHS_CONTRACTING, RHS_CONTRACTING))
          .constraint("C11", "there is a precision for each operand", DimensionRules.precisions())
          .constraint(
              "C12",
              "the result has batch, free left and free right sizes",
              TensorRule.of(DotGeneral::checkResult))
          .constraint("I8", "some hardware knows the algorithm", DotAlgorithm::known)
          .constraint("C21", "an algorithm leaves precisions alone", DotAlgorithm::precision)
          .constraint(
              "C22", "there is a left component", DotAlgorithm.positive("lhs_component_count"))
          .constraint(
              "C23", "there is a right component", DotAlgorithm.positive("rhs_component_count"))
          .constraint(
              "C24",
              "there is a primitive operation",
              DotAlgorithm.positive("num_primitive_operations"))
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

  private static void checkResult(TensorRule.Case it) {
    Products.Dimensions dims = dimensions(it.operation());
    ImmutableLongArray.Builder wanted = ImmutableLongArray.builder();
    int lhsRank = it.operand(0).rank();
    int rhsRank = it.operand(1).rank();
    boolean isComplete =
        LHS_CONTRACTING.raw(it.operation()) != null && it.operation().attribute("sparsity") == null;
    if (!isComplete || !dims.lhsBatch().stream().allMatch(d -> d >= 0 && d < lhsRank)) {
      return;
    }
    dims.lhsBatch().forEach(d -> wanted.add(it.operand(0).dim((int) d)));
    for (int d = 0; d < lhsRank; d++) {
      if (!dims.lhsBatch().contains(d) && !dims.lhsContracting().contains(d)) {
        wanted.add(it.operand(0).dim(d));
      }
    }
    for (int d = 0; d < rhsRank; d++) {
      if (!dims.rhsBatch().contains(d) && !dims.rhsContracting().contains(d)) {
        wanted.add(it.operand(1).dim(d));
      }
    }
    TensorType type = TensorType.of(it.result().element(), wanted.build());
    it.require(
        TensorRule.agreeInShape(type, it.result()),
        "the result must have the shape of %s, not %s",
        type,
        it.result());
  }
}
