package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the names of values stand for. Each symbol holds its current meaning; a log of what was
 * replaced brings outer meanings back at the end of a region.
 */
final class Scopes {
  private record Undo(Sym sym, Value @Nullable [] values, int scope) {}

  private final Source source;
  private final List<Undo> log = new ArrayList<>();
  private int scope;
  private int scopes;

  Scopes(Source source) {
    this.source = source;
  }

  int mark() {
    return log.size();
  }

  int current() {
    return scope;
  }

  /** Makes everything that is defined outside invisible. */
  void isolate() {
    scope = ++scopes;
  }

  /** Goes back to what was visible at {@code mark}. */
  void restore(int mark, int outerScope) {
    for (int i = log.size() - 1; i >= mark; i--) {
      Undo undo = log.remove(i);
      undo.sym.values = undo.values;
      undo.sym.scope = undo.scope;
    }
    scope = outerScope;
  }

  /** Returns the value that {@code token} names. */
  Value use(Sym sym, Tok token) {
    Value[] values = sym.values;
    if (values == null || sym.scope != scope) {
      throw error(
          "undefined-value",
          "use of undeclared SSA value name '" + sym.text + "'",
          token.begin,
          token.end);
    }
    int index = Math.max(0, token.index);
    if (index >= values.length) {
      throw error(
          "undefined-value",
          "reference to invalid result number: '"
              + sym.text
              + "' has "
              + values.length
              + (values.length == 1 ? " result" : " results"),
          token.begin,
          token.end);
    }
    return values[index];
  }

  /** Gives {@code sym} a meaning until the region ends. */
  void define(Sym sym, Value[] values, int begin) {
    if (sym.values != null && sym.scope == scope) {
      throw error(
          "redefined-value",
          "redefinition of SSA value '" + sym.text + "'",
          begin,
          begin + sym.text.length());
    }
    log.add(new Undo(sym, sym.values, sym.scope));
    sym.values = values;
    sym.scope = scope;
  }

  /** Returns the name without the percent sign. */
  static String bare(Sym sym) {
    String bare = sym.bare;
    if (bare == null) {
      bare = sym.text.substring(1);
      sym.bare = bare;
    }
    return bare;
  }

  private DiagnosticException error(String code, String message, int begin, int end) {
    return new DiagnosticException(
        Diagnostic.error(code, message, new Location(source, begin, end)));
  }
}
