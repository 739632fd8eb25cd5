package dev.lockstep.hlo.text;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.ir.Syntax;
import dev.lockstep.hlo.proto.HloProtos;
import dev.lockstep.hlo.text.hlo.HloPrinter;
import dev.lockstep.hlo.text.hlo.HloReader;
import dev.lockstep.hlo.text.mlir.MlirPrinter;
import dev.lockstep.hlo.text.mlir.MlirReader;

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
    return switch (TextFormats.detect(source)) {
      case HLO -> HloReader.read(source, sink);
      case STABLEHLO -> MlirReader.read(source);
      case MLIR_BYTECODE ->
          throw unread(
              source,
              "mlir-bytecode",
              "this is MLIR bytecode, which is not read; make it text with `stablehlo-translate"
                  + " --deserialize FILE` (a portable artifact, as jax.export writes) or"
                  + " `stablehlo-opt FILE`");
      case HLO_PROTO -> HloProtos.read(source, sink);
      case FX ->
          throw unread(
              source, "fx-graph", "this is a torch FX graph, which is read by another front end");
    };
  }

  /** Returns an error about the whole of {@code source}, whose bytes are not worth showing. */
  private static DiagnosticException unread(Source source, String code, String message) {
    return DiagnosticException.error(
        code, message, new Location(Source.of(source.name(), new byte[0]), 0, 0));
  }

  /** Returns the text of {@code module} in its own syntax. */
  public static String print(Module module) {
    return module.syntax() == Syntax.HLO ? HloPrinter.print(module) : MlirPrinter.print(module);
  }
}
