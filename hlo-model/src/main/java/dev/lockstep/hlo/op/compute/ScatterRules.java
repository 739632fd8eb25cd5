package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.ReducerRule;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/** Rules about the N inputs and N updates of a scatter, which stand around the indices. */
final class ScatterRules {
  private ScatterRules() {}

  /** There are N inputs, indices, N updates and N results. */
  static void counts(Operation operation, String code, DiagnosticSink sink) {
    int operands = operation.operands().size();
    int results = Results.types(operation).size();
    if (operands < 3 || operands % 2 == 0 || results != operands / 2) {
      sink.error(
          code,
          String.format(
              "%d operands and %d results; there must be N inputs, indices, N updates and N"
                  + " results",
              operands, results),
          operation.location());
    }
  }

  /** The operand in the middle holds integers. */
  static void indices(Operation operation, String code, DiagnosticSink sink) {
    int middle = operation.operands().size() / 2;
    if (operation.operands().size() > 2
        && !TypeClass.INT.orIndex().admits(operation.operand(middle).type())) {
      sink.error(
          code,
          "scatter indices must be integers, not " + operation.operand(middle).type(),
          operation.location());
    }
  }

  /** All inputs, or from {@code first} on all updates, have one shape. */
  static Constraint.Check sameShape(boolean updates) {
    return TensorRule.of(
        it -> {
          int count = it.operands() / 2;
          int first = updates ? count + 1 : 0;
          for (int i = first + 1; i < first + count; i++) {
            if (!it.require(
                TensorRule.agreeInShape(it.operand(first), it.operand(i)),
                "%s %s and %s differ in shape",
                updates ? "updates" : "inputs",
                it.operand(first),
                it.operand(i))) {
              return;
            }
          }
        });
  }

  /** Updates have the elements of their inputs. */
  static void elements(TensorRule.Case it) {
    int count = it.operands() / 2;
    for (int i = 0; i < count; i++) {
      it.require(
          it.sameElements(it.operand(i), it.operand(count + 1 + i))
              || it.operand(i).element().kind() == it.operand(count + 1 + i).element().kind(),
          "input %s and update %s differ in elements",
          it.operand(i),
          it.operand(count + 1 + i));
    }
  }

  /** Updates have the sizes of the indices and at most those of the inputs. */
  static void updates(TensorRule.Case it) {
    int count = it.operands() / 2;
    TensorType indices = it.operand(count);
    TensorType update = it.operand(count + 1);
    ImmutableLongArray window = DimensionRules.of(it, Scatter.UPDATE_WINDOW_DIMS);
    ImmutableLongArray inserted = DimensionRules.of(it, Scatter.INSERTED_WINDOW_DIMS);
    ImmutableLongArray batching = DimensionRules.of(it, Scatter.INPUT_BATCHING_DIMS);
    long vectorDim = Scatter.INDEX_VECTOR_DIM.getOr(it.operation(), 0L);
    if (vectorDim < 0 || vectorDim > indices.rank()) {
      return;
    }
    long[] batch = IndexRules.batch(indices, vectorDim);
    if (!it.require(
        update.rank() == batch.length + window.length(),
        "updates %s must have rank %d: %d of the indices and %d of windows",
        update,
        batch.length + window.length(),
        batch.length,
        window.length())) {
      return;
    }
    int nextBatch = 0;
    int nextWindow = 0;
    for (int d = 0; d < update.rank(); d++) {
      if (!window.contains(d)) {
        it.require(
            nextBatch >= batch.length || TensorRule.agree(batch[nextBatch], update.dim(d)),
            "dimension %d of updates %s must have the size of the indices %s",
            d,
            update,
            indices);
        nextBatch++;
        continue;
      }
      while (inserted.contains(nextWindow) || batching.contains(nextWindow)) {
        nextWindow++;
      }
      if (nextWindow >= it.operand(0).rank()) {
        return;
      }
      long limit = it.operand(0).dim(nextWindow++);
      it.require(
          limit == TensorType.DYNAMIC
              || update.dim(d) == TensorType.DYNAMIC
              || update.dim(d) <= limit,
          "dimension %d of updates %s does not fit into the input %s",
          d,
          update,
          it.operand(0));
    }
  }

  /** The body folds an element of each input with one of each update. */
  static void body(
      Operation operation, ImmutableList<Block> bodies, String code, DiagnosticSink sink) {
    ImmutableList<Type> operands = operation.operandTypes();
    int count = operands.size() / 2;
    if (bodies.size() != 1 || operands.size() % 2 == 0) {
      return;
    }
    ReducerRule.check(
        operation,
        bodies.get(0),
        operands.subList(0, count),
        scalars(operands.subList(count + 1, operands.size())),
        ImmutableLongArray.of(),
        code,
        sink);
  }

  private static ImmutableList<Type> scalars(ImmutableList<Type> types) {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    for (Type type : types) {
      out.add(type instanceof TensorType ? ((TensorType) type).withDims() : type);
    }
    return out.build();
  }

  /** Results have the shapes of the inputs. */
  static void results(TensorRule.Case it) {
    for (int i = 0; i < Math.min(it.operands() / 2, it.results().size()); i++) {
      if (!DimensionRules.requireResult(it, i, it.operand(i).dims())) {
        return;
      }
    }
  }
}
