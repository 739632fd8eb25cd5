package dev.lockstep.hlo.op;

import com.google.common.collect.ImmutableList;
import com.google.errorprone.annotations.FormatMethod;
import com.google.errorprone.annotations.FormatString;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.kernel.Results;
import dev.lockstep.hlo.type.Type;
import java.util.Arrays;

/** How many operands and results there are, and of which classes. */
final class OperandRules {
  private OperandRules() {}

  /** There are {@code count} operands. */
  static Constraint count(int count) {
    return new Constraint(
        "operands",
        count == 1 ? "there is one operand" : "there are " + count + " operands",
        (operation, code, sink) -> {
          int got = operation.operands().size();
          if (got != count) {
            error(operation, code, sink, "takes %s, not %d", many(count, "operand"), got);
          }
        });
  }

  /** Operand {@code index} is one of {@code type}. */
  static Constraint operand(String label, int index, TypeClass type) {
    return new Constraint(
        label,
        "operand " + index + " is a " + type,
        (operation, code, sink) -> {
          if (index < operation.operands().size()) {
            operand(operation, index, type, code, sink);
          }
        });
  }

  /** All operands are of {@code type}. */
  static Constraint operands(String label, TypeClass type) {
    return new Constraint(
        label,
        "each operand is a " + type,
        (operation, code, sink) -> {
          for (int i = 0; i < operation.operands().size(); i++) {
            operand(operation, i, type, code, sink);
          }
        });
  }

  /** There is a result of each of {@code classes}. */
  static Constraint results(TypeClass... classes) {
    return new Constraint(
        "results",
        classes.length == 0
            ? "there is no result"
            : classes.length == 1
                ? "the result is a " + classes[0]
                : "results are " + Arrays.toString(classes),
        (operation, code, sink) -> {
          ImmutableList<Type> types = types(operation, classes.length);
          if (types.size() != classes.length) {
            error(
                operation,
                code,
                sink,
                "gives %s, not %d",
                many(classes.length, "result"),
                types.size());
            return;
          }
          for (int i = 0; i < classes.length; i++) {
            result(operation, i, types.get(i), classes[i], code, sink);
          }
        });
  }

  /** All results are of {@code type}. */
  static Constraint allResults(TypeClass type) {
    return new Constraint(
        "results",
        "each result is a " + type,
        (operation, code, sink) -> {
          ImmutableList<Type> types = Results.types(operation);
          for (int i = 0; i < types.size(); i++) {
            result(operation, i, types.get(i), type, code, sink);
          }
        });
  }

  /** Returns the results one by one; one result may be a tuple, several are HLO's one tuple. */
  private static ImmutableList<Type> types(Operation operation, int wanted) {
    return wanted == 1 ? operation.resultTypes() : Results.types(operation);
  }

  private static void operand(
      Operation operation, int index, TypeClass type, String code, DiagnosticSink sink) {
    Type got = operation.operand(index).type();
    if (!type.admits(got)) {
      error(operation, code, sink, "takes a %s as operand %d, not %s", type, index, got);
    }
  }

  private static void result(
      Operation operation, int index, Type got, TypeClass type, String code, DiagnosticSink sink) {
    if (!type.admits(got)) {
      error(operation, code, sink, "gives a %s as result %d, not %s", type, index, got);
    }
  }

  private static String many(int count, String what) {
    return count == 1 ? "1 " + what : count + " " + what + "s";
  }

  @FormatMethod
  private static void error(
      Operation operation,
      String code,
      DiagnosticSink sink,
      @FormatString String message,
      Object... arguments) {
    sink.error(
        code,
        operation.def().name() + " " + String.format(message, arguments),
        operation.location());
  }
}
