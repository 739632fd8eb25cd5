package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;

/** The rule about {@code result_accuracy}, which transcendental ops have. */
final class Accuracy {
  private Accuracy() {}

  /** Tolerances are not negative, and are given only where the mode leaves them open. */
  static void check(Operation operation, String code, DiagnosticSink sink) {
    Attribute given = operation.attribute("result_accuracy");
    if (!(given instanceof Attribute.Struct)) {
      return;
    }
    boolean some = false;
    for (String name : new String[] {"atol", "rtol", "ulps"}) {
      Attribute value = ((Attribute.Struct) given).fields().get(name);
      double tolerance =
          value instanceof Attribute.Real
              ? ((Attribute.Real) value).value()
              : value instanceof Attribute.Int ? ((Attribute.Int) value).value() : 0;
      some |= tolerance != 0;
      if (tolerance < 0) {
        sink.error(code, name + " must not be negative", operation.location());
        return;
      }
    }
    Attribute mode = ((Attribute.Struct) given).fields().get("mode");
    String text =
        mode instanceof Attribute.Raw
            ? ((Attribute.Raw) mode).text()
            : mode instanceof Attribute.Word ? ((Attribute.Word) mode).value() : "";
    if (some && (text.contains("HIGHEST") || text.contains("DEFAULT"))) {
      sink.error(code, "there must be no tolerances with " + text, operation.location());
    }
  }
}
