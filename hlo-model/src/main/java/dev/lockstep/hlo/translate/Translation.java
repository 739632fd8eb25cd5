package dev.lockstep.hlo.translate;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;

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
   * @throws DiagnosticException naming an op, with its place, that has no form there
   */
  public static Module to(Syntax syntax, Module module) {
    if (module.syntax() == syntax) {
      return module;
    }
    return syntax == Syntax.HLO ? ToHlo.translate(module) : ToStablehlo.translate(module);
  }
}
