package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.Semantics.BodyRunner;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.kernel.Fold;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Wide;

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
          .constraint("I2", "indices are integers", ScatterRules::indices)
          .constraint("C1", "inputs have one shape", ScatterRules.sameShape(false))
          .constraint(
              "C2",
              "each dimension of an input is of a window, left out or batching",
              IndexRules.covers(UPDATE_WINDOW_DIMS, INSERTED_WINDOW_DIMS, INPUT_BATCHING_DIMS))
          .constraint("C3", "updates have one shape", ScatterRules.sameShape(true))
          .constraint(
              "C4",
              "updates have the sizes of indices and windows",
              TensorRule.of(ScatterRules::updates))
          .constraint("C5", "there is an update and a result for each input", ScatterRules::counts)
          .constraint(
              "C6",
              "updates have the elements of their inputs",
              TensorRule.of(ScatterRules::elements))
          .constraint(
              "C7",
              "window dimensions are unique and sorted",
              IndexRules.ascending(UPDATE_WINDOW_DIMS))
          .constraint(
              "C8",
              "window dimensions are those of the updates",
              TensorRule.of(Scatter::checkWindow))
          .constraint(
              "C9",
              "dimensions left out are unique",
              DimensionRules.unique(INSERTED_WINDOW_DIMS, INPUT_BATCHING_DIMS))
          .constraint(
              "C10", "dimensions left out are sorted", DimensionRules.sorted(INSERTED_WINDOW_DIMS))
          .constraint(
              "C11",
              "dimensions left out are in range",
              DimensionRules.within(0, INSERTED_WINDOW_DIMS))
          .constraint(
              "C12", "batching dimensions are sorted", DimensionRules.sorted(INPUT_BATCHING_DIMS))
          .constraint(
              "C13",
              "batching dimensions are in range",
              DimensionRules.within(0, INPUT_BATCHING_DIMS))
          .constraint(
              "C14",
              "batching dimensions of the indices are unique",
              DimensionRules.unique(SCATTER_INDICES_BATCHING_DIMS))
          .constraint(
              "C15",
              "batching dimensions of the indices are in range",
              TensorRule.of(Scatter::checkBatching))
          .constraint(
              "C16",
              "index vectors do not lie along a batching dimension",
              IndexRules.vectorIsNoBatch(SCATTER_INDICES_BATCHING_DIMS, INDEX_VECTOR_DIM))
          .constraint(
              "C17",
              "batching dimensions come in pairs",
              DimensionRules.sameLength(INPUT_BATCHING_DIMS, SCATTER_INDICES_BATCHING_DIMS))
          .constraint(
              "C18",
              "batching dimensions have one size",
              IndexRules.batchSizes(-1, INPUT_BATCHING_DIMS, SCATTER_INDICES_BATCHING_DIMS))
          .constraint(
              "C19",
              "index vectors have a part for each indexed dimension",
              IndexRules.vectorSize(-1, SCATTER_DIMS_TO_OPERAND_DIMS, INDEX_VECTOR_DIM))
          .constraint(
              "C20",
              "no dimension is indexed twice",
              DimensionRules.unique(SCATTER_DIMS_TO_OPERAND_DIMS, INPUT_BATCHING_DIMS))
          .constraint(
              "C21",
              "indexed dimensions are in range",
              DimensionRules.within(0, SCATTER_DIMS_TO_OPERAND_DIMS))
          .constraint(
              "C22",
              "index vectors lie along a dimension of the indices",
              IndexRules.vectorDim(-1, INDEX_VECTOR_DIM))
          .bodyConstraint(
              "C23", "the body folds an element of each input and update", ScatterRules::body)
          .constraint(
              "C24", "results have the shapes of the inputs", TensorRule.of(ScatterRules::results))
          .bodyConstraint(
              "C25", "results have the elements that the body gives", ReducerRules.resultElements())
          .regional(Scatter::eval)
          .build();

  private Scatter() {}

  private static void checkWindow(TensorRule.Case it) {
    int rank = it.operand(it.operands() / 2 + 1).rank();
    ImmutableLongArray dims = DimensionRules.of(it, UPDATE_WINDOW_DIMS);
    it.require(
        dims.stream().allMatch(d -> d >= 0 && d < rank),
        "window dimensions %s are not those of updates of rank %s",
        dims,
        rank);
  }

  private static void checkBatching(TensorRule.Case it) {
    int rank = it.operand(it.operands() / 2).rank();
    ImmutableLongArray dims = DimensionRules.of(it, SCATTER_INDICES_BATCHING_DIMS);
    it.require(
        dims.stream().allMatch(d -> d >= 0 && d < rank),
        "batching dimensions %s are not those of indices of rank %s",
        dims,
        rank);
  }

  /**
   * Folds updates in row-major order of the scatter dimensions, then of the window. What lies out
   * of bounds is left out: in StableHLO each element, in HLO the whole window, as XLA does.
   */
  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    int count = (operands.size() - 1) / 2;
    ImmutableList<Literal> inputs = Results.literals(operation, operands, 0, count);
    Literal indices = Results.literal(operation, operands, count);
    ImmutableList<Literal> updates =
        Results.literals(operation, operands, count + 1, operands.size());
    ImmutableList.Builder<Literal> starts = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      starts.add(Wide.cast(inputs.get(i), Results.tensor(operation, i).element()));
    }
    ImmutableLongArray none = ImmutableLongArray.of();
    int[] dims = Index.ints(inputs.get(0).dims());
    int[] updateDims = Index.ints(updates.get(0).dims());
    ImmutableLongArray windowDims = UPDATE_WINDOW_DIMS.getOr(operation, none);
    IndexVectors vectors =
        new IndexVectors(
            indices,
            INDEX_VECTOR_DIM.getOr(operation, 0L),
            SCATTER_DIMS_TO_OPERAND_DIMS.getOr(operation, none),
            INPUT_BATCHING_DIMS.getOr(operation, none),
            SCATTER_INDICES_BATCHING_DIMS.getOr(operation, none));
    ImmutableLongArray left =
        Index.others(
            dims.length,
            ImmutableLongArray.builder()
                .addAll(INSERTED_WINDOW_DIMS.getOr(operation, none))
                .addAll(vectors.operandBatchingDims())
                .build());
    Fold fold = Fold.of(bodies, 0, starts.build());
    new Walk(dims, updateDims, windowDims, left, operation.regions().isEmpty())
        .run(fold, fold.source(updates), vectors);
    return ImmutableList.copyOf(fold.build());
  }

  /** Walks over the updates. */
  private static final class Walk {
    private final int[] dims;
    private final int[] strides;
    private final int[] window;
    private final int[] windowFrom;
    private final int[] windowTo;
    private final int[] batchFrom;
    private final ImmutableLongArray left;
    private final boolean wholeWindows;

    Walk(
        int[] dims,
        int[] updateDims,
        ImmutableLongArray windowDims,
        ImmutableLongArray left,
        boolean wholeWindows) {
      this.dims = dims;
      this.left = left;
      this.wholeWindows = wholeWindows;
      strides = Index.strides(dims);
      int[] updateStrides = Index.strides(updateDims);
      window = Index.pick(updateDims, windowDims);
      windowFrom = Index.offsets(window, Index.pick(updateStrides, windowDims));
      windowTo = Index.offsets(window, Index.pick(strides, left));
      batchFrom =
          Index.offsets(Index.drop(updateDims, windowDims), Index.drop(updateStrides, windowDims));
    }

    void run(Fold fold, Fold.Source in, IndexVectors vectors) {
      int[] start = new int[dims.length];
      boolean contiguous = Index.isContiguous(windowFrom) && Index.isContiguous(windowTo);
      for (int b = 0; b < batchFrom.length; b++) {
        vectors.start(b, start);
        int base = Index.dot(start, strides);
        if (fits(start)) {
          if (contiguous) {
            fold.fold(base, 1, in, batchFrom[b], 1, windowTo.length);
          } else {
            for (int k = 0; k < windowTo.length; k++) {
              fold.fold(base + windowTo[k], in, batchFrom[b] + windowFrom[k]);
            }
          }
        } else if (!wholeWindows) {
          within(fold, in, start, b);
        }
      }
    }

    private boolean fits(int[] start) {
      for (int d = 0; d < dims.length; d++) {
        int at = left.indexOf(d);
        int size = at < 0 ? 1 : window[at];
        if (start[d] < 0 || start[d] > dims[d] - size) {
          return false;
        }
      }
      return true;
    }

    /** Folds those elements of a window that lie within the input. */
    private void within(Fold fold, Fold.Source in, int[] start, int b) {
      int[] index = new int[window.length];
      for (int k = 0; k < windowTo.length; k++) {
        boolean inside = true;
        int to = 0;
        for (int d = 0; d < dims.length; d++) {
          int at = left.indexOf(d);
          int position = start[d] + (at < 0 ? 0 : index[at]);
          inside &= position >= 0 && position < dims[d];
          to += inside ? position * strides[d] : 0;
        }
        if (inside) {
          fold.fold(to, in, batchFrom[b] + windowFrom[k]);
        }
        Index.next(index, window);
      }
    }
  }
}
