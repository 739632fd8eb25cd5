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
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Fold;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Window;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.reduce_window}, HLO's {@code reduce-window}. */
public final class ReduceWindow {
  /** Sizes of the window. */
  public static final AttrKey<ImmutableLongArray> SIZE =
      AttrKeys.longs("window_dimensions", "window.size");

  /** Steps of the window; ones when absent. */
  public static final AttrKey<ImmutableLongArray> STRIDES =
      AttrKeys.longs("window_strides", "window.stride");

  /** Dilation of the operand; ones when absent. */
  public static final AttrKey<ImmutableLongArray> BASE_DILATION =
      AttrKeys.longs("base_dilations", "window.lhs_dilate");

  /** Dilation of the window; ones when absent. */
  public static final AttrKey<ImmutableLongArray> WINDOW_DILATION =
      AttrKeys.longs("window_dilations", "window.rhs_dilate");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reduce_window")
          .hlo("reduce-window")
          .summary("Folds windows with a function")
          .attributes(
              SIZE,
              STRIDES,
              BASE_DILATION,
              WINDOW_DILATION,
              Window.PADDING,
              Window.PAD_LOW,
              Window.PAD_HIGH)
          .bodies("to_apply")
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "there are an init and a result for each", ReducerRules.counts())
          .constraint("C2", "inputs have one shape", ReducerRules.inputs())
          .constraint("C3", "inputs have the elements of their inits", ReducerRules.elements())
          .constraint("C4", "there is a window size for each dimension", WindowRules.sizes(SIZE))
          .constraint("C5", "window sizes are positive", DimensionRules.positive(SIZE))
          .constraint("C6", "there is a step for each dimension", DimensionRules.oneEach(STRIDES))
          .constraint("C7", "steps are positive", DimensionRules.positive(STRIDES))
          .constraint(
              "C8",
              "there is a base dilation for each dimension",
              DimensionRules.oneEach(BASE_DILATION))
          .constraint("C9", "base dilations are positive", DimensionRules.positive(BASE_DILATION))
          .constraint(
              "C10",
              "there is a window dilation for each dimension",
              DimensionRules.oneEach(WINDOW_DILATION))
          .constraint(
              "C11", "window dilations are positive", DimensionRules.positive(WINDOW_DILATION))
          .constraint(
              "C12", "there are two amounts of padding for each dimension", WindowRules.padding())
          .bodyConstraint("C13", "the body folds", ReducerRules.body(SIZE))
          .constraint(
              "C15",
              "results have the places of the windows",
              TensorRule.of(ReduceWindow::checkResults))
          .bodyConstraint(
              "C16", "results have the elements that the body gives", ReducerRules.resultElements())
          .regional(ReduceWindow::eval)
          .build();

  private ReduceWindow() {}

  private static void checkResults(TensorRule.Case it) {
    long[] places =
        WindowRules.places(
            it,
            it.operand(0).dims().toArray(),
            DimensionRules.of(it, SIZE).toArray(),
            STRIDES,
            BASE_DILATION,
            WINDOW_DILATION);
    for (int i = 0; places != null && i < it.results().size(); i++) {
      if (!DimensionRules.requireResult(it, i, ImmutableLongArray.copyOf(places))) {
        return;
      }
    }
  }

  /** Returns the window of {@code operation} over {@code rank} dimensions. */
  public static Window window(Operation operation, int rank) {
    return new Window(
        Window.entries(SIZE, operation, rank, 1),
        Window.entries(STRIDES, operation, rank, 1),
        Window.padding(operation, rank, false),
        Window.padding(operation, rank, true),
        Window.entries(BASE_DILATION, operation, rank, 1),
        Window.entries(WINDOW_DILATION, operation, rank, 1));
  }

  /**
   * Folds in row-major order of the window, starting with the initial value. StableHLO folds the
   * initial value once more for each element of padding, as its specification says; HLO skips
   * padding, as XLA does. Initial values that change nothing make both the same.
   */
  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    int count = operands.size() / 2;
    ImmutableList<Literal> inputs = Results.literals(operation, operands, 0, count);
    ImmutableList<Literal> inits = Results.literals(operation, operands, count, 2 * count);
    int[] dims = Index.ints(inputs.get(0).dims());
    Window window = window(operation, dims.length);
    int[] places = window.places(dims);
    ImmutableList.Builder<Literal> starts = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      TensorType type = TensorType.of(Results.tensor(operation, i).element(), Index.longs(places));
      starts.add(Fold.start(type, inits.get(i)));
    }
    Fold fold = Fold.of(bodies, 0, starts.build());
    Fold.Source in = fold.source(inputs);
    Fold.Source padding = operation.regions().isEmpty() ? null : fold.source(inits);
    Walk walk = new Walk(dims, window, places);
    int outputs = Index.count(places);
    int[] place = new int[places.length];
    for (int o = 0; o < outputs; o++) {
      int[] element = new int[dims.length];
      int size = Index.count(window.size());
      for (int w = 0; w < size; w++) {
        int at = walk.at(place, element);
        if (at >= 0) {
          fold.fold(o, in, at);
        } else if (padding != null) {
          fold.fold(o, padding, 0);
        }
        Index.next(element, window.size());
      }
      Index.next(place, places);
    }
    return ImmutableList.copyOf(fold.build());
  }

  /** Finds the element of the base under an element of the window at a place. */
  static final class Walk {
    private final int[][] positions;
    private final int[] strides;
    private final int[] sizes;

    Walk(int[] dims, Window window, int[] places) {
      positions = new int[dims.length][];
      for (int d = 0; d < dims.length; d++) {
        positions[d] = window.positions(d, dims[d], places[d]);
      }
      strides = Index.strides(dims);
      sizes = window.size();
    }

    /** Returns the position in the base, or -1 for padding. */
    int at(int[] place, int[] element) {
      int out = 0;
      for (int d = 0; d < place.length; d++) {
        int position = positions[d][place[d] * sizes[d] + element[d]];
        if (position < 0) {
          return -1;
        }
        out += position * strides[d];
      }
      return out;
    }
  }
}
