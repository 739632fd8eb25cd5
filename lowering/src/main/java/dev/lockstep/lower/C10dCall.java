package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.TensorType;

/**
 * One torch.distributed call, the same in both syntaxes.
 *
 * @param config its dictionary
 * @param operands the tensors it is given, as they are called in the lowered block
 * @param results the types it gives back; several even where HLO makes them a tuple
 */
record C10dCall(
    CallConfig config, ImmutableList<Value> operands, ImmutableList<TensorType> results) {

  /** Returns the name of the call. */
  String target() {
    return config.target();
  }

  /** Returns operand {@code i}'s type. */
  TensorType type(int i) {
    return Emitter.type(operands.get(i));
  }

  /** Returns a diagnostic at the call. */
  DiagnosticException error(String code, String message) {
    return config.error(code, message);
  }

  /** Checks the number of operands and results. */
  void expect(int operandCount, int resultCount) {
    if (operands.size() != operandCount || results.size() != resultCount) {
      throw error(
          "c10d-arity",
          String.format(
              "has %d operands and %d results, expected %d and %d",
              operands.size(), results.size(), operandCount, resultCount));
    }
  }

  /** Checks that result {@code i} has {@code type}. */
  void expectResult(int i, TensorType type) {
    if (!results.get(i).isSameShape(type)) {
      throw error(
          "c10d-type",
          "result "
              + i
              + " is "
              + results.get(i)
              + ", expected "
              + TensorType.of(type.element(), type.dims()));
    }
  }

  /** Checks that all operands have the type of the first. */
  void expectEqualOperands() {
    for (int i = 1; i < operands.size(); i++) {
      if (!type(i).isSameShape(type(0))) {
        throw error("c10d-type", "operand " + i + " is " + type(i) + ", expected " + type(0));
      }
    }
  }

  /** Checks that every size of {@code type} is known, since rows are counted. */
  void expectStatic(TensorType type) {
    if (!type.isStatic()) {
      throw error("c10d-type", type + " has a size that is not known");
    }
  }

  /** Checks the number of rows of {@code type}. */
  void expectRows(TensorType type, long rows, String what) {
    if (Rows.count(type) != rows) {
      throw error("c10d-counts", what + " is " + type + ", but the counts give " + rows + " rows");
    }
  }
}
