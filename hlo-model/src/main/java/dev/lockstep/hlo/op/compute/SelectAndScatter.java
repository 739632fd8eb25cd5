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
import dev.lockstep.hlo.op.kernel.Fold;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Order;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Window;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.select_and_scatter}, HLO's {@code select-and-scatter}. */
public final class SelectAndScatter {
  /** Sizes of the window. */
  public static final AttrKey<ImmutableLongArray> SIZE =
      AttrKeys.longs("window_dimensions", "window.size");

  /** Steps of the window; ones when absent. */
  public static final AttrKey<ImmutableLongArray> STRIDES =
      AttrKeys.longs("window_strides", "window.stride");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.select_and_scatter")
          .hlo("select-and-scatter")
          .summary("Adds each source element to the element that its window selects")
          .attributes(SIZE, STRIDES, Window.PADDING, Window.PAD_LOW, Window.PAD_HIGH)
          .bodies("select", "scatter")
          .constraint(
              "C4", "there is a window size for each dimension", DimensionRules.oneEach(SIZE))
          .constraint("C5", "window sizes are positive", DimensionRules.positive(SIZE))
          .constraint("C6", "there is a step for each dimension", DimensionRules.oneEach(STRIDES))
          .constraint("C7", "steps are positive", DimensionRules.positive(STRIDES))
          .regional(SelectAndScatter::eval)
          .build();

  private SelectAndScatter() {}

  /**
   * Each window of the operand selects one element, the first for which select held against all
   * that came before; the source elements are folded there in row-major order.
   */
  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    Literal operand = Results.literal(operation, operands, 0);
    Literal source = Results.literal(operation, operands, 1);
    Literal init = Results.literal(operation, operands, 2);
    int[] dims = Index.ints(operand.dims());
    int rank = dims.length;
    Window window =
        new Window(
            Window.entries(SIZE, operation, rank, 1),
            Window.entries(STRIDES, operation, rank, 1),
            Window.padding(operation, rank, false),
            Window.padding(operation, rank, true),
            Window.entries(null, operation, rank, 1),
            Window.entries(null, operation, rank, 1));
    int[] places = Index.ints(source.dims());
    ReduceWindow.Walk walk = new ReduceWindow.Walk(dims, window, places);
    Order select = Order.of(bodies, 0, ImmutableList.of(operand));
    TensorType type = TensorType.of(Results.tensor(operation, 0).element(), operand.dims());
    Fold fold = Fold.of(bodies, 1, ImmutableList.of(Fold.start(type, init)));
    Fold.Source in = fold.source(ImmutableList.of(source));
    int[] place = new int[rank];
    int size = Index.count(window.size());
    for (int o = 0; o < source.count(); o++) {
      int[] element = new int[rank];
      int best = -1;
      for (int w = 0; w < size; w++) {
        int at = walk.at(place, element);
        if (at >= 0 && (best < 0 || !select.test(best, at))) {
          best = at;
        }
        Index.next(element, window.size());
      }
      if (best >= 0) {
        fold.fold(best, in, o);
      }
      Index.next(place, places);
    }
    return ImmutableList.copyOf(fold.build());
  }
}
