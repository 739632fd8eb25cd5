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
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;

/** {@code stablehlo.reduce}. */
public final class Reduce {
  /** The dimensions that are folded. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reduce")
          .hlo("reduce")
          .summary("Folds dimensions with a function")
          .attributes(DIMENSIONS)
          .bodies("to_apply")
          .takesAll(TypeClass.TENSOR)
          .givesAll(TypeClass.TENSOR)
          .constraint("C1", "inputs have one shape", ReducerRules.inputs())
          .constraint("C2", "inputs have the elements of their inits", ReducerRules.elements())
          .constraint("C3", "there are an init and a result for each", ReducerRules.counts())
          .constraint("C4", "dimensions are in range", DimensionRules.within(0, DIMENSIONS))
          .constraint("C5", "no dimension stands twice", DimensionRules.unique(DIMENSIONS))
          .bodyConstraint("C6", "the body folds", ReducerRules.body(null))
          .constraint(
              "C7",
              "results have the sizes that are not folded",
              TensorRule.of(Reduce::checkResult))
          .bodyConstraint(
              "C8", "results have the elements that the body gives", ReducerRules.resultElements())
          .regional(Reduce::eval)
          .build();

  private Reduce() {}

  /**
   * Folds in row-major order of the inputs: acc = init; acc = reducer(acc, x) for each x. With no
   * dimensions each element is folded once.
   */
  private static ImmutableList<Datum> eval(
      Operation operation, ImmutableList<Datum> operands, BodyRunner bodies) {
    int count = operands.size() / 2;
    ImmutableList<Literal> inputs = Results.literals(operation, operands, 0, count);
    int[] dims = Index.ints(inputs.get(0).dims());
    ImmutableLongArray reduced = DIMENSIONS.get(operation);
    int[] kept = Index.drop(dims, reduced);
    ImmutableList.Builder<Literal> starts = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      TensorType type = TensorType.of(Results.tensor(operation, i).element(), Index.longs(kept));
      starts.add(Fold.start(type, Results.literal(operation, operands, count + i)));
    }
    Fold fold = Fold.of(bodies, 0, starts.build());
    walk(fold, fold.source(inputs), dims, reduced);
    return ImmutableList.copyOf(fold.build());
  }

  private static void walk(Fold fold, Fold.Source in, int[] dims, ImmutableLongArray reduced) {
    int[] keptStrides = Index.strides(Index.drop(dims, reduced));
    // Neighbouring dimensions that are both folded or both kept walk as one.
    int[] sizes = new int[dims.length];
    int[] strides = new int[dims.length];
    int rank = 0;
    int kept = 0;
    for (int d = 0; d < dims.length; d++) {
      boolean folded = reduced.contains(d);
      int stride = folded ? 0 : keptStrides[kept++];
      if (rank > 0 && folded == (d > 0 && reduced.contains(d - 1))) {
        sizes[rank - 1] *= dims[d];
        strides[rank - 1] = stride;
      } else {
        sizes[rank] = dims[d];
        strides[rank++] = stride;
      }
    }
    if (rank == 0) {
      fold.fold(0, in, 0);
      return;
    }
    int inner = sizes[rank - 1];
    int[] places = Index.offsets(Arrays.copyOf(sizes, rank - 1), Arrays.copyOf(strides, rank - 1));
    for (int o = 0; o < places.length; o++) {
      fold.fold(places[o], strides[rank - 1], in, o * inner, 1, inner);
    }
  }

  private static void checkResult(TensorRule.Case it) {
    ImmutableLongArray reduced = DimensionRules.of(it, DIMENSIONS);
    ImmutableLongArray.Builder wanted = ImmutableLongArray.builder();
    for (int d = 0; d < it.operand(0).rank(); d++) {
      if (!reduced.contains(d)) {
        wanted.add(it.operand(0).dim(d));
      }
    }
    ImmutableLongArray dims = wanted.build();
    for (int i = 0; i < it.results().size(); i++) {
      if (!DimensionRules.requireResult(it, i, dims)) {
        return;
      }
    }
  }
}
