package dev.lockstep.hlo.op.compute;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Parts;
import dev.lockstep.hlo.op.kernel.Products;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

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
          .takes(TypeClass.TENSOR, TypeClass.TENSOR, TypeClass.INT)
          .gives(TypeClass.TENSOR)
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
              DimensionRules.unique(RHS_BATCH, RHS_CONTRACTING, RHS_GROUP))
          .constraint(
              "C5",
              "left dimensions are in range",
              DimensionRules.within(0, LHS_BATCH, LHS_CONTRACTING, LHS_RAGGED))
          .constraint(
              "C6",
              "right dimensions are in range",
              DimensionRules.within(1, RHS_BATCH, RHS_CONTRACTING, RHS_GROUP))
          .constraint("C7", "batch sizes are equal", DimensionRules.sameSizes(LHS_BATCH, RHS_BATCH))
          .constraint(
              "C8",
              "contracting sizes are equal",
              DimensionRules.sameSizes(LHS_CONTRACTING, RHS_CONTRACTING))
          .constraint("C9", "there is a precision for each operand", DimensionRules.precisions())
          .constraint(
              "C10", "one left dimension is ragged", TensorRule.of(RaggedRules::checkRagged))
          .constraint(
              "C11",
              "right groups are those of a free ragged dimension",
              TensorRule.of(RaggedRules::checkGroups))
          .constraint(
              "C12", "there are sizes for each group", TensorRule.of(RaggedRules::checkSizes))
          .constraint(
              "C13",
              "the result has batch, free left and free right sizes",
              TensorRule.of(RaggedRules::checkResult))
          .local(RaggedDot::eval)
          .build();

  private RaggedDot() {}

  /**
   * Multiplies group by group. The ragged dimension is free (rows of the result, zeros behind the
   * last group), contracting (one result a group, stacked first) or a batch dimension.
   */
  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal lhs = Results.literal(operation, operands, 0);
    Literal rhs = Results.literal(operation, operands, 1);
    Literal sizes = Results.literal(operation, operands, 2);
    checkArgument(sizes.type().rank() == 1, "group sizes for each batch are not run here");
    ImmutableLongArray none = ImmutableLongArray.of();
    Products.Dimensions dimensions =
        new Products.Dimensions(
            LHS_BATCH.getOr(operation, none),
            RHS_BATCH.getOr(operation, none),
            LHS_CONTRACTING.getOr(operation, none),
            RHS_CONTRACTING.getOr(operation, none));
    ElementType element = Results.tensor(operation, 0).element();
    int ragged = (int) LHS_RAGGED.get(operation).get(0);
    int contracting = dimensions.lhsContracting().indexOf(ragged);
    int batch = dimensions.lhsBatch().indexOf(ragged);
    if (batch >= 0) {
      return ImmutableList.of(Products.multiply(lhs, rhs, dimensions, element));
    }
    ImmutableList.Builder<Literal> parts = ImmutableList.builder();
    int start = 0;
    for (int g = 0; g < sizes.count(); g++) {
      long rows = sizes.getLong(g);
      checkArgument(
          rows >= 0 && rows <= lhs.type().dim(ragged) - start,
          "group %s of %s rows, from row %s on, is not within the %s rows that there are",
          g,
          rows,
          start,
          lhs.type().dim(ragged));
      int size = (int) rows;
      Literal left = Parts.slice(lhs, ragged, start, size);
      if (contracting >= 0) {
        int other = (int) dimensions.rhsContracting().get(contracting);
        Literal right = Parts.slice(rhs, other, start, size);
        Literal product = Products.multiply(left, right, dimensions, element);
        parts.add(
            product.reshaped(
                TensorType.of(
                    element, Index.longs(Index.join(new int[] {1}, Index.ints(product.dims()))))));
      } else {
        int group = (int) RHS_GROUP.get(operation).get(0);
        parts.add(
            Products.multiply(
                left,
                without(Parts.slice(rhs, group, g, 1), group),
                inner(dimensions, group),
                element));
      }
      start += size;
    }
    if (contracting >= 0) {
      return ImmutableList.of(Parts.join(parts.build(), 0));
    }
    int dim = dimensions.lhsBatch().length();
    for (int d = 0; d < ragged; d++) {
      if (!dimensions.lhsBatch().contains(d) && !dimensions.lhsContracting().contains(d)) {
        dim++;
      }
    }
    Literal rows = Parts.join(parts.build(), dim);
    long[] rest = Index.longs(Index.ints(rows.dims()));
    rest[dim] = lhs.type().dim(ragged) - start;
    Literal zeros = Literal.zeros(TensorType.of(element, rest));
    return ImmutableList.of(rest[dim] == 0 ? rows : Parts.join(ImmutableList.of(rows, zeros), dim));
  }

  private static Literal without(Literal literal, int dim) {
    return literal.reshaped(
        TensorType.of(
            literal.element(),
            Index.longs(Index.drop(Index.ints(literal.dims()), ImmutableLongArray.of(dim)))));
  }

  /** Returns the dimensions of one group, whose right operand lacks {@code group}. */
  private static Products.Dimensions inner(Products.Dimensions dimensions, int group) {
    return new Products.Dimensions(
        dimensions.lhsBatch(),
        shifted(dimensions.rhsBatch(), group),
        dimensions.lhsContracting(),
        shifted(dimensions.rhsContracting(), group));
  }

  private static ImmutableLongArray shifted(ImmutableLongArray dims, int group) {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (int i = 0; i < dims.length(); i++) {
      out.add(dims.get(i) > group ? dims.get(i) - 1 : dims.get(i));
    }
    return out.build();
  }
}
