package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.op.OpSet;

/**
 * Reads HLO text: a module with or without header, a bare computation, or a single instruction.
 *
 * <p>Time and memory are linear in the text, whatever it holds.
 */
public final class HloReader {
  private HloReader() {}

  /**
   * Returns the module that {@code source} holds; warnings are dropped.
   *
   * @throws DiagnosticException if the text is not HLO
   */
  public static Module read(Source source) {
    return read(source, new DiagnosticSink());
  }

  /**
   * Returns the module that {@code source} holds and reports warnings, such as values left out, to
   * {@code sink}.
   *
   * @throws DiagnosticException if the text is not HLO
   */
  public static Module read(Source source, DiagnosticSink sink) {
    SymbolTable names = new SymbolTable();
    HloLexer lexer = new HloLexer(source, names);
    HloTokenStream tokens = new HloTokenStream(lexer);
    HloParser parser = new HloParser(tokens);
    parser.setBuildParseTree(false);
    parser.removeErrorListeners();
    parser.setErrorHandler(new HloErrorStrategy());
    HloBuilder builder = new HloBuilder(source, names, lexer, tokens, OpSet.standard(), sink);
    parser.build = builder;
    parser.module();
    return builder.module();
  }
}
