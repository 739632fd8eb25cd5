package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Results;

/** {@code stablehlo.dynamic_gather}. */
public final class DynamicGather {
  /** Dimensions of the result that run over the slice. */
  public static final AttrKey<ImmutableLongArray> OFFSET_DIMS =
      AttrKeys.longs("dimension_numbers.offset_dims", "");

  /** Dimensions of the operand of slice size one that the result lacks. */
  public static final AttrKey<ImmutableLongArray> COLLAPSED_SLICE_DIMS =
      AttrKeys.longs("dimension_numbers.collapsed_slice_dims", "");

  /** Dimensions of the operand that go with those of the indices. */
  public static final AttrKey<ImmutableLongArray> OPERAND_BATCHING_DIMS =
      AttrKeys.longs("dimension_numbers.operand_batching_dims", "");

  /** Dimensions of the indices that go with those of the operand. */
  public static final AttrKey<ImmutableLongArray> START_INDICES_BATCHING_DIMS =
      AttrKeys.longs("dimension_numbers.start_indices_batching_dims", "");

  /** Which dimension of the operand each part of an index is for. */
  public static final AttrKey<ImmutableLongArray> START_INDEX_MAP =
      AttrKeys.longs("dimension_numbers.start_index_map", "");

  /** Dimension of the indices that holds one index; zero when absent. */
  public static final AttrKey<Long> INDEX_VECTOR_DIM =
      AttrKeys.integer("dimension_numbers.index_vector_dim", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_gather")
          .summary("Collects slices whose sizes are a value")
          .attributes(
              OFFSET_DIMS,
              COLLAPSED_SLICE_DIMS,
              OPERAND_BATCHING_DIMS,
              START_INDICES_BATCHING_DIMS,
              START_INDEX_MAP,
              INDEX_VECTOR_DIM)
          .inherent("indices_are_sorted")
          .local(DynamicGather::eval)
          .build();

  private DynamicGather() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = Results.literal(operation, operands, 0);
    Literal indices = Results.literal(operation, operands, 1);
    Literal sizes = Results.literal(operation, operands, 2);
    ImmutableLongArray none = ImmutableLongArray.of();
    return ImmutableList.of(
        Gather.gather(
            operand,
            indices,
            Index.ints(ImmutableLongArray.copyOf(sizes.toLongs())),
            OFFSET_DIMS.getOr(operation, none),
            COLLAPSED_SLICE_DIMS.getOr(operation, none),
            new IndexVectors(
                indices,
                INDEX_VECTOR_DIM.getOr(operation, 0L),
                START_INDEX_MAP.getOr(operation, none),
                OPERAND_BATCHING_DIMS.getOr(operation, none),
                START_INDICES_BATCHING_DIMS.getOr(operation, none))));
  }
}
