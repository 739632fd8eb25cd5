package dev.lockstep.hlo.op.kernel;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;

/** Reads operands and result types alike in both syntaxes. */
public final class Results {
  private Results() {}

  /** Returns the result types one by one; those of HLO's one tuple are taken apart. */
  public static ImmutableList<Type> types(Operation operation) {
    ImmutableList<Type> types = operation.resultTypes();
    return types.size() == 1 && types.get(0) instanceof TupleType
        ? ((TupleType) types.get(0)).elements()
        : types;
  }

  /**
   * Returns result type {@code i} as a tensor.
   *
   * @throws DiagnosticException if it is something else
   */
  public static TensorType tensor(Operation operation, int i) {
    ImmutableList<Type> types = types(operation);
    if (i >= types.size() || !(types.get(i) instanceof TensorType)) {
      throw DiagnosticException.error(
          "result-type",
          operation.def().name() + " needs a tensor as result " + i,
          operation.location());
    }
    return (TensorType) types.get(i);
  }

  /**
   * Returns operand {@code i} as a tensor's value.
   *
   * @throws DiagnosticException if it is something else
   */
  public static Literal literal(Operation operation, ImmutableList<Datum> operands, int i) {
    if (i >= operands.size() || !(operands.get(i) instanceof Literal)) {
      throw DiagnosticException.error(
          "operand-type",
          operation.def().name() + " needs a tensor as operand " + i,
          operation.location());
    }
    return (Literal) operands.get(i);
  }

  /** Returns operands {@code from} up to {@code to} as values of tensors. */
  public static ImmutableList<Literal> literals(
      Operation operation, ImmutableList<Datum> operands, int from, int to) {
    ImmutableList.Builder<Literal> out = ImmutableList.builder();
    for (int i = from; i < to; i++) {
      out.add(literal(operation, operands, i));
    }
    return out.build();
  }

  /** Returns what a body gave back one by one; HLO's one tuple is taken apart. */
  public static ImmutableList<Datum> flat(ImmutableList<Datum> results) {
    return results.size() == 1 && results.get(0) instanceof Datum.Tuple
        ? ((Datum.Tuple) results.get(0)).elements()
        : results;
  }
}
