package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.scatter}. */
public final class Scatter {
  /** Dimensions of the updates that run over the slice. */
  public static final AttrKey<ImmutableLongArray> UPDATE_WINDOW_DIMS =
      AttrKeys.longs("scatter_dimension_numbers.update_window_dims", "update_window_dims");

  /** Dimensions of the input of slice size one that the updates lack. */
  public static final AttrKey<ImmutableLongArray> INSERTED_WINDOW_DIMS =
      AttrKeys.longs("scatter_dimension_numbers.inserted_window_dims", "inserted_window_dims");

  /** Dimensions of the input that go with those of the indices. */
  public static final AttrKey<ImmutableLongArray> INPUT_BATCHING_DIMS =
      AttrKeys.longs("scatter_dimension_numbers.input_batching_dims", "input_batching_dims");

  /** Dimensions of the indices that go with those of the input. */
  public static final AttrKey<ImmutableLongArray> SCATTER_INDICES_BATCHING_DIMS =
      AttrKeys.longs(
          "scatter_dimension_numbers.scatter_indices_batching_dims",
          "scatter_indices_batching_dims");

  /** Which dimension of the input each part of an index is for. */
  public static final AttrKey<ImmutableLongArray> SCATTER_DIMS_TO_OPERAND_DIMS =
      AttrKeys.longs(
          "scatter_dimension_numbers.scatter_dims_to_operand_dims", "scatter_dims_to_operand_dims");

  /** Dimension of the indices that holds one index; zero when absent. */
  public static final AttrKey<Long> INDEX_VECTOR_DIM =
      AttrKeys.integer("scatter_dimension_numbers.index_vector_dim", "index_vector_dim");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.scatter")
          .hlo("scatter")
          .summary("Folds updates into slices at places that are values")
          .attributes(
              UPDATE_WINDOW_DIMS,
              INSERTED_WINDOW_DIMS,
              INPUT_BATCHING_DIMS,
              SCATTER_INDICES_BATCHING_DIMS,
              SCATTER_DIMS_TO_OPERAND_DIMS,
              INDEX_VECTOR_DIM)
          .inherent("indices_are_sorted", "unique_indices")
          .bodies("to_apply")
          .build();

  private Scatter() {}
}
