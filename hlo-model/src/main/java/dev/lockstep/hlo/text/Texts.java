package dev.lockstep.hlo.text;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.text.hlo.HloPrinter;
import dev.lockstep.hlo.text.hlo.HloReader;

/** Reads and writes programs in whatever syntax they are in. */
public final class Texts {
  private Texts() {}

  /**
   * Returns the module that {@code source} holds; warnings are dropped.
   *
   * @throws DiagnosticException if it is no program in a syntax that is read
   */
  public static Module read(Source source) {
    return read(source, new DiagnosticSink());
  }

  /**
   * Returns the module that {@code source} holds and reports warnings to {@code sink}.
   *
   * @throws DiagnosticException if it is no program in a syntax that is read
   */
  public static Module read(Source source, DiagnosticSink sink) {
    TextFormats.Format format = TextFormats.detect(source);
    if (format == TextFormats.Format.HLO) {
      return HloReader.read(source, sink);
    }
    throw DiagnosticException.error(
        "format", "cannot read " + format, new Location(source, 0, Math.min(1, source.length())));
  }

  /** Returns the text of {@code module} in its own syntax. */
  public static String print(Module module) {
    if (module.syntax() == Syntax.HLO) {
      return HloPrinter.print(module);
    }
    throw new UnsupportedOperationException("no printer for " + module.syntax());
  }
}
