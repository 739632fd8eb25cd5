package dev.lockstep.tools.program;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.TextFormats;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.verify.Verifier;
import dev.lockstep.lower.fx.FxReader;
import dev.lockstep.lower.fx.graph.FxOptions;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.input.RankSet;
import java.nio.charset.StandardCharsets;

/** Reads, checks and prints programs, whatever their format. */
public final class Programs {
  /** Diagnostic code: the input is MLIR bytecode. */
  public static final String BYTECODE = "format-bytecode";

  private Programs() {}

  /**
   * Returns the program that {@code source} holds; its format is recognised by content.
   *
   * @throws DiagnosticException when it cannot be read
   * @throws UsageException when its format is not read yet
   */
  public static Module read(Source source) {
    return read(source, FxOptions.DEFAULT, new DiagnosticSink());
  }

  /**
   * Returns the program that {@code source} holds, read as the flags of {@code session} say;
   * warnings are printed.
   *
   * @throws DiagnosticException when it cannot be read
   * @throws UsageException when its format is not read yet
   */
  public static Module read(Session session, Source source) {
    DiagnosticSink sink = new DiagnosticSink();
    Module module = read(source, session.fx().options(source), sink);
    sink.diagnostics().forEach(session::print);
    session.noteCounts(module, source.name());
    return module;
  }

  /**
   * Returns all programs that {@code source} holds, verified: several where it is a log of torch
   * with several graphs; warnings are printed.
   *
   * @throws DiagnosticException when it cannot be read or is wrong
   * @throws UsageException when its format is not read yet
   */
  public static ImmutableList<Module> readAllVerified(Session session, Source source) {
    if (TextFormats.detect(source) != TextFormats.Format.FX) {
      return ImmutableList.of(readVerified(session, source));
    }
    session.doing("reading " + source.name());
    DiagnosticSink sink = new DiagnosticSink();
    return verified(
        session, source, FxReader.of(source).all(session.fx().options(source), sink), sink);
  }

  /** Returns whether {@code source} is a log to which several ranks wrote graphs. */
  public static boolean holdsRanks(Source source) {
    return TextFormats.detect(source) == TextFormats.Format.FX
        && FxReader.of(source).ranks().size() > 1;
  }

  /**
   * Returns the programs of each rank that a log of torch names by the prefixes of its lines,
   * verified; empty where {@code source} names no ranks.
   *
   * @throws DiagnosticException when it cannot be read or is wrong
   */
  public static ImmutableList<ImmutableList<Module>> readRanksVerified(
      Session session, Source source) {
    if (TextFormats.detect(source) != TextFormats.Format.FX) {
      return ImmutableList.of();
    }
    session.doing("reading " + source.name());
    FxReader reader = FxReader.of(source);
    session.fx().expectRanks(reader.ranks().size());
    ImmutableList.Builder<ImmutableList<Module>> out = ImmutableList.builder();
    int expected = 0;
    for (int rank : reader.ranks()) {
      if (rank != expected++) {
        throw DiagnosticException.error(
            RankSet.UNCLEAR,
            String.format("%s has no graph of rank %d", source.name(), expected - 1),
            Location.UNKNOWN);
      }
      DiagnosticSink sink = new DiagnosticSink();
      out.add(
          verified(session, source, reader.ofRank(rank, session.fx().options(source), sink), sink));
    }
    return out.build();
  }

  private static ImmutableList<Module> verified(
      Session session, Source source, ImmutableList<Module> modules, DiagnosticSink sink) {
    session.doing("verifying " + source.name());
    modules.forEach(module -> verify(module, sink));
    sink.throwIfErrors();
    sink.diagnostics().forEach(session::print);
    return modules;
  }

  private static Module read(Source source, FxOptions options, DiagnosticSink sink) {
    return switch (TextFormats.detect(source)) {
      case MLIR_BYTECODE -> throw bytecode(source);
      case FX -> FxReader.read(source, options, sink);
      case STABLEHLO, HLO, HLO_PROTO -> Texts.read(source);
    };
  }

  /** Returns the diagnostic that names the command which turns the bytecode into text. */
  private static DiagnosticException bytecode(Source source) {
    String text = source.name().replaceFirst("(?:\\.mlir)?\\.?(?:mlirbc|bc)?$", "") + ".mlir";
    // The producer follows magic and version; StableHLO's portable artifacts name themselves.
    String head = source.text(0, Math.min(source.length(), 64)).lines().findFirst().orElse("");
    String command =
        head.contains("StableHLO_v")
            ? "stablehlo-translate --deserialize " + source.name() + " -o " + text
            : "stablehlo-opt " + source.name() + " -o " + text;
    return DiagnosticException.error(
        BYTECODE,
        "this is MLIR bytecode, which is not read; turn it into text with: " + command,
        new Location(Source.of(source.name(), new byte[0]), 0, 0));
  }

  /**
   * Returns the program that {@code source} holds, verified; warnings are printed.
   *
   * @throws DiagnosticException when it cannot be read or is wrong
   * @throws UsageException when its format is not read yet
   */
  public static Module readVerified(Session session, Source source) {
    session.doing("reading " + source.name());
    Module module = read(session, source);
    session.doing("verifying " + source.name());
    DiagnosticSink sink = new DiagnosticSink();
    verify(module, sink);
    sink.throwIfErrors();
    sink.diagnostics().forEach(session::print);
    return module;
  }

  /** Reports what is wrong with {@code module}. */
  public static void verify(Module module, DiagnosticSink sink) {
    Verifier.verify(module, sink);
  }

  /** Returns the text of {@code module} in its own syntax, ending with a line end. */
  public static String print(Module module) {
    return Texts.print(module);
  }

  /** Returns {@code text} as a source, for reading back what was printed. */
  public static Source source(String name, String text) {
    return Source.of(name, text.getBytes(StandardCharsets.UTF_8));
  }
}
