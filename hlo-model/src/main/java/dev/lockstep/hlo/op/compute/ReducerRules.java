package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.ReducerRule;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/** Rules of ops that fold N inputs, beginning with N values: reduce, reduce_window. */
final class ReducerRules {
  private ReducerRules() {}

  /** There are as many inputs as values to begin with, and as many results. */
  static Constraint.Check counts() {
    return (operation, code, sink) -> {
      int operands = operation.operands().size();
      int results = Results.types(operation).size();
      if (operands == 0 || operands % 2 != 0 || results != operands / 2) {
        sink.error(
            code,
            String.format(
                "%d operands and %d results; there must be N inputs, N values to begin with and N"
                    + " results",
                operands, results),
            operation.location());
      }
    };
  }

  /** All inputs have one shape. */
  static Constraint.Check inputs() {
    return TensorRule.of(
        it -> {
          for (int i = 1; i < it.operands() / 2; i++) {
            if (!it.require(
                TensorRule.agreeInShape(it.operand(0), it.operand(i)),
                "inputs %s and %s differ in shape",
                it.operand(0),
                it.operand(i))) {
              return;
            }
          }
        });
  }

  /** Each input has the elements of the value that its folding begins with. */
  static Constraint.Check elements() {
    return TensorRule.of(
        it -> {
          int count = it.operands() / 2;
          for (int i = 0; i < count; i++) {
            TensorType input = it.operand(i);
            TensorType init = it.operand(count + i);
            if (!it.require(
                ReducerRule.isPromotable(init.element(), input.element())
                    || ReducerRule.isPromotable(input.element(), init.element()),
                "input %d has elements of type %s but folding begins with %s",
                i,
                input.element(),
                init)) {
              return;
            }
          }
        });
  }

  /** The body folds; it may see parts of the sizes that {@code window} gives. */
  static Constraint.BodyCheck body(@Nullable AttrKey<ImmutableLongArray> window) {
    return (operation, bodies, code, sink) -> {
      ImmutableList<Type> operands = operation.operandTypes();
      int count = operands.size() / 2;
      if (bodies.size() != 1 || operands.size() % 2 != 0) {
        return;
      }
      ImmutableLongArray sizes =
          window != null
              ? window.getOr(operation, ImmutableLongArray.of())
              : resultSizes(Results.types(operation));
      ReducerRule.check(
          operation,
          bodies.get(0),
          operands.subList(0, count),
          operands.subList(count, 2 * count),
          sizes,
          code,
          sink);
    };
  }

  private static ImmutableLongArray resultSizes(ImmutableList<Type> results) {
    return !results.isEmpty() && results.get(0) instanceof TensorType
        ? ((TensorType) results.get(0)).dims()
        : ImmutableLongArray.of();
  }

  /** Each result has the elements that the body gives. */
  static Constraint.BodyCheck resultElements() {
    return resultElements(0);
  }

  /** Each result has the elements that body {@code index} gives. */
  static Constraint.BodyCheck resultElements(int index) {
    return (operation, bodies, code, sink) -> {
      ImmutableList<Type> results = Results.types(operation);
      if (index >= bodies.size()) {
        return;
      }
      Block body = bodies.get(index);
      ImmutableList<Type> given = ReducerRule.given(body);
      for (int i = 0; i < Math.min(results.size(), given.size()); i++) {
        if (results.get(i) instanceof TensorType
            && given.get(i) instanceof TensorType
            && !isSame(body, results.get(i), given.get(i))) {
          sink.error(
              code,
              String.format(
                  "result %d has elements of type %s but the body gives %s",
                  i, ((TensorType) results.get(i)).element(), given.get(i)),
              operation.location());
          return;
        }
      }
    };
  }

  /** Returns whether elements are of one type; HLO, whose blocks have a root, mixes precisions. */
  private static boolean isSame(Block body, Type result, Type given) {
    TensorType left = (TensorType) result;
    TensorType right = (TensorType) given;
    return left.element() == right.element()
        || body.root() != null && left.element().isFloat() && right.element().isFloat();
  }
}
