package dev.lockstep.pass.region.split;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Severity;
import dev.lockstep.hlo.ir.Operation;

/**
 * Loops and branches that communicate cannot be cut: a segment ends where its function ends, and a
 * loop that another program drives would be another program. They stay whole.
 */
final class NestedRule {
  /** Diagnostic code. */
  static final String CODE = "split-nested";

  private NestedRule() {}

  /**
   * Returns the note that {@code operation} stays whole.
   *
   * @param names what communicates in it
   * @param differs whether other ranks run another text
   * @throws DiagnosticException if that is not safe: several collectives in texts that differ,
   *     which two compilers may order differently
   */
  static Diagnostic check(
      Flow flow, Operation operation, ImmutableList<String> names, boolean differs) {
    String name = operation.def().nameIn(flow.module().syntax());
    if (differs && names.size() > 1) {
      throw DiagnosticException.error(
          CODE,
          String.format(
              "this %s holds %d collectives (%s) and cannot be cut, and other ranks run other"
                  + " programs: compilers may order them differently on each",
              name, names.size(), String.join(", ", names)),
          operation.location());
    }
    return new Diagnostic(
        Severity.WARNING,
        CODE,
        String.format(
            "this %s holds %s and cannot be cut; it stays one segment, which is safe as long as"
                + " every rank that takes part has the same text of it",
            name, names.size() == 1 ? "a collective" : names.size() + " collectives"),
        operation.location(),
        ImmutableList.of());
  }
}
