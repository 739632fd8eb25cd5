package dev.lockstep.runtime.interp;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.QuantizedTensor;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;

/** Whether values have the types that a program says. */
final class Fits {
  private Fits() {}

  /** Fails unless {@code arguments} are what a body with {@code parameters} takes. */
  static void arguments(
      ImmutableList<Value> parameters, ImmutableList<Datum> arguments, Operation by) {
    if (parameters.size() != arguments.size()) {
      throw DiagnosticException.error(
          "body-arguments",
          String.format(
              "%s gives %d arguments to a body that takes %d",
              by.def().name(), arguments.size(), parameters.size()),
          by.location());
    }
    for (int i = 0; i < arguments.size(); i++) {
      if (arguments.get(i) instanceof Literal) {
        Type wanted = parameters.get(i).type();
        Literal got = (Literal) arguments.get(i);
        if (!fits(got, wanted)) {
          throw DiagnosticException.error(
              "body-arguments",
              String.format(
                  "argument %d of a body is %s, the body takes %s; a program over global arrays"
                      + " must be partitioned before devices can run it",
                  i, got.type(), wanted),
              by.location());
        }
      }
    }
  }

  /** Fails unless {@code results} are what {@code plan} says that it gives. */
  static void results(OpPlan plan, ImmutableList<Datum> results) {
    Operation operation = plan.operation;
    if (results.size() != operation.results().size()) {
      throw DiagnosticException.error(
          "evaluation",
          String.format(
              "%s gave %d results, has %d",
              plan.name(), results.size(), operation.results().size()),
          operation.location());
    }
    for (int i = 0; i < results.size(); i++) {
      if (results.get(i) instanceof Literal
          && !fits((Literal) results.get(i), operation.results().get(i).type())) {
        throw DiagnosticException.error(
            "evaluation",
            String.format(
                "%s gave %s, its result is %s",
                plan.name(), ((Literal) results.get(i)).type(), operation.results().get(i).type()),
            operation.location());
      }
    }
  }

  private static boolean fits(Literal got, Type wanted) {
    if (!(wanted instanceof TensorType)) {
      QuantizedTensor quantized = QuantizedTensor.of(wanted);
      return quantized != null && got.type().isSameShape(quantized.stored());
    }
    TensorType type = (TensorType) wanted;
    return type.isStatic()
        ? got.type().isSameShape(type)
        : got.element() == type.element() && got.type().rank() == type.rank();
  }
}
