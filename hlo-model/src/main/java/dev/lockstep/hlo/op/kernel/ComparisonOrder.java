package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Block;
import dev.lockstep.hlo.ir.Function;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.BuiltinOps;
import dev.lockstep.hlo.op.elementwise.Compare;
import org.jspecify.annotations.Nullable;

/** Recognises bodies that compare the two elements of one tensor and nothing else. */
final class ComparisonOrder {
  private ComparisonOrder() {}

  /** Returns the order, or null when the body is something else. */
  static @Nullable Order of(Block body, ImmutableList<Literal> inputs) {
    ImmutableList<Value> parameters = Function.parametersOf(body);
    ImmutableList<Value> returned = body.returned();
    if (returned.size() != 1) {
      return null;
    }
    Operation compare = null;
    for (Operation operation : body.operations()) {
      if (operation.is(BuiltinOps.PARAMETER) || operation.def().isTerminator()) {
        continue;
      }
      if (compare != null || !operation.is(Compare.DEF)) {
        return null;
      }
      compare = operation;
    }
    if (compare == null || compare.result() != returned.get(0)) {
      return null;
    }
    int first = parameters.indexOf(compare.operand(0));
    int second = parameters.indexOf(compare.operand(1));
    String type = Compare.TYPE.find(compare);
    if (first < 0 || second < 0 || first / 2 != second / 2 || "TOTALORDER".equals(type)) {
      return null;
    }
    Literal input = inputs.get(first / 2);
    boolean swapped = first > second;
    return switch (Compare.DIRECTION.get(compare)) {
      case "LT" -> swapped ? greater(input) : less(input);
      case "GT" -> swapped ? less(input) : greater(input);
      case "GE" -> swapped ? atMost(input) : atLeast(input);
      case "LE" -> swapped ? atLeast(input) : atMost(input);
      default -> null;
    };
  }

  private static @Nullable Order less(Literal input) {
    return switch (input.element().kind()) {
      case FLOAT -> {
        double[] x = Wide.doubles(input);
        yield (i, j) -> x[i] < x[j];
      }
      case UNSIGNED -> {
        long[] x = Wide.longs(input);
        yield (i, j) -> Long.compareUnsigned(x[i], x[j]) < 0;
      }
      case BOOL, SIGNED -> {
        long[] x = Wide.longs(input);
        yield (i, j) -> x[i] < x[j];
      }
      case COMPLEX -> null;
    };
  }

  private static @Nullable Order greater(Literal input) {
    Order less = less(input);
    return less == null ? null : (i, j) -> less.test(j, i);
  }

  private static @Nullable Order atMost(Literal input) {
    if (input.element().isFloat()) {
      double[] x = Wide.doubles(input);
      return (i, j) -> x[i] <= x[j];
    }
    Order less = less(input);
    return less == null ? null : (i, j) -> !less.test(j, i);
  }

  private static @Nullable Order atLeast(Literal input) {
    Order atMost = atMost(input);
    return atMost == null ? null : (i, j) -> atMost.test(j, i);
  }
}
