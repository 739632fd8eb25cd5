package dev.lockstep.hlo.translate;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Severity;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.verify.Verifier;

/**
 * Programs in the other syntax, with the same meaning. Ops that both syntaxes have go by their
 * definitions: the names, and attributes as {@code AttrKey}s know them; see {@link
 * TranslationTable} for those that do not.
 */
public final class Translation {
  private Translation() {}

  /**
   * Returns {@code module} in {@code syntax}; itself when it is.
   *
   * @throws DiagnosticException naming an op, with its place, that has no form there, or that the
   *     rules of the other syntax do not allow
   */
  public static Module to(Syntax syntax, Module module) {
    if (module.syntax() == syntax) {
      return module;
    }
    Module written = syntax == Syntax.HLO ? ToHlo.translate(module) : ToStablehlo.translate(module);
    DiagnosticSink sink = new DiagnosticSink();
    Verifier.verify(written, sink);
    for (Diagnostic diagnostic : sink.diagnostics()) {
      if (diagnostic.severity() == Severity.ERROR) {
        throw DiagnosticException.error(
            "translate",
            "this is not allowed in the other syntax: " + diagnostic.message(),
            diagnostic.location());
      }
    }
    return written;
  }
}
