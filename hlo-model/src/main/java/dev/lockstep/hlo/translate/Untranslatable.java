package dev.lockstep.hlo.translate;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;

/** Refusals, by name and with the place. */
final class Untranslatable {
  /** The code of all of them. */
  private static final String CODE = "translate";

  private Untranslatable() {}

  static DiagnosticException op(Operation operation, String reason) {
    return DiagnosticException.error(
        CODE, operation.def().name() + " is not translated: " + reason, operation.location());
  }

  static DiagnosticException attribute(Operation operation, String name) {
    return op(operation, "its attribute '" + name + "' has no form in the other syntax");
  }
}
