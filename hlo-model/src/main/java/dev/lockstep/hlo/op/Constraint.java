package dev.lockstep.hlo.op;

import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Operation;

/**
 * A rule that an operation must satisfy.
 *
 * @param label the specification's label, {@code C1}; the diagnostic code is {@code <op>-c1}
 * @param summary the rule in one line
 * @param check reports what is wrong under the code it is given
 */
public record Constraint(String label, String summary, Check check) {
  /** Looks at one operation. */
  public interface Check {
    /** Reports to {@code sink} under {@code code} what breaks the rule. */
    void check(Operation operation, String code, DiagnosticSink sink);
  }
}
