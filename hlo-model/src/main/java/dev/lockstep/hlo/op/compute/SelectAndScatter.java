package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.ReducerRule;
import dev.lockstep.hlo.op.Semantics.BodyRunner;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Fold;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Order;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.op.kernel.Window;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

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
          .takes(TypeClass.TENSOR, TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint(
              "C1",
              "operand and source have elements of one type",
              TensorRule.of(it -> elements(it, 1)))
          .constraint(
              "C2",
              "the source has the places of the windows",
              TensorRule.of(SelectAndScatter::checkSource))
          .constraint(
              "C3",
              "operand and init have elements of one type",
              TensorRule.of(it -> elements(it, 2)))
          .constraint("C4", "there is a window size for each dimension", WindowRules.sizes(SIZE))
          .constraint("C5", "window sizes are positive", DimensionRules.positive(SIZE))
          .constraint("C6", "there is a step for each dimension", DimensionRules.oneEach(STRIDES))
          .constraint("C7", "steps are positive", DimensionRules.positive(STRIDES))
          .constraint(
              "C8", "there are two amounts of padding for each dimension", WindowRules.padding())
          .bodyConstraint(
              "C9", "select takes two elements and gives a boolean", SelectAndScatter::checkSelect)
          .bodyConstraint("C10", "scatter folds two elements", SelectAndScatter::checkScatter)
          .constraint(
              "C11",
              "operand and result have one shape",
              TensorRule.of(it -> DimensionRules.requireResult(it, 0, it.operand(0).dims())))
          .bodyConstraint(
              "C12",
              "the result has the elements that scatter gives",
              ReducerRules.resultElements(1))
          .regional(SelectAndScatter::eval)
          .build();

  private SelectAndScatter() {}

  private static void elements(TensorRule.Case it, int i) {
    it.require(
        it.sameElements(it.operand(0), it.operand(i))
            || it.operand(0).element().isFloat() && it.operand(i).element().isFloat(),
        "the operand has elements of type %s, operand %d of type %s",
        it.operand(0).element(),
        i,
        it.operand(i).element());
  }

  private static void checkSource(TensorRule.Case it) {
    long[] places =
        WindowRules.places(
            it,
            it.operand(0).dims().toArray(),
            DimensionRules.of(it, SIZE).toArray(),
            STRIDES,
            null,
            null);
    if (places != null) {
      TensorType wanted = TensorType.of(it.operand(1).element(), places);
      it.require(
          TensorRule.agreeInShape(wanted, it.operand(1)),
          "the source must have the shape of %s, not %s",
          wanted,
          it.operand(1));
    }
  }

  private static void checkSelect(
      Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink) {
    if (bodies.size() != 2) {
      return;
    }
    ImmutableList<Type> taken = ReducerRule.parameters(bodies.get(0));
    ImmutableList<Type> given = ReducerRule.given(bodies.get(0));
    boolean fits = taken.size() == 2 && given.size() == 1 && isPred(given.get(0));
    Type operand = operation.operand(0).type();
    for (int i = 0; fits && i < 2 && operand instanceof TensorType; i++) {
      fits =
          taken.get(i) instanceof TensorType
              && ((TensorType) taken.get(i)).rank() == 0
              && (((TensorType) taken.get(i)).element() == ((TensorType) operand).element()
                  || ((TensorType) taken.get(i)).element().isFloat()
                      && ((TensorType) operand).element().isFloat());
    }
    if (!fits && !ReducerRule.hasUnknown(taken)) {
      sink.error(
          code,
          String.format("select takes %s and gives %s, must compare two elements", taken, given),
          operation.location());
    }
  }

  private static boolean isPred(Type type) {
    return type instanceof TensorType
        && ((TensorType) type).rank() == 0
        && ((TensorType) type).element().isBool();
  }

  private static void checkScatter(
      Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink) {
    if (bodies.size() == 2 && operation.operand(1).type() instanceof TensorType) {
      ReducerRule.check(
          operation,
          bodies.get(1),
          ImmutableList.of(((TensorType) operation.operand(1).type()).withDims()),
          ImmutableList.of(operation.operand(2).type()),
          ImmutableLongArray.of(),
          code,
          sink);
    }
  }

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
