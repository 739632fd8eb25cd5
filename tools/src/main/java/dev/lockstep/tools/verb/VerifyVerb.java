package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Severity;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Progress;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.program.Chunks;
import dev.lockstep.tools.program.Programs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads and verifies programs; says which fail and how many. */
@Command(
    description = {
      "Read and verify programs, or prove that the programs of ranks meet.",
      "The last line counts files. With --ranks: exit 0 when all ranks meet in their collectives, 1"
          + " when they do not, with the place where they part, 2 when it cannot be told, with what"
          + " decides it."
    })
final class VerifyVerb extends Verb {
  /** Diagnostic code: a program does not survive being printed and read. */
  static final String ROUNDTRIP = "roundtrip";

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files, folders, patterns in quotes; - for standard input.")
  private List<String> words = new ArrayList<>();

  @Option(names = "--roundtrip", description = "Also print, read again and compare.")
  private boolean roundtrip;

  @Option(
      names = "--split-input-file",
      description = "Take the chunks between lines '// -----' one by one.")
  private boolean split;

  @Option(
      names = "--ranks",
      paramLabel = "SET",
      description =
          "The programs of all ranks instead, to be matched: a pattern, a folder or FILE.json; one"
              + " file is the text that all devices run.")
  private @Nullable String ranks;

  @Mixin private CountOptions counts = new CountOptions();

  @Option(names = "--rendezvous", description = "With --ranks: a send waits until it is received.")
  private boolean rendezvous;

  @Override
  protected int execute(Session session) throws IOException {
    counts.check(session);
    if (ranks != null) {
      if (!words.isEmpty() || roundtrip || split) {
        throw new UsageException("--ranks names the files; give no other, and no other check");
      }
      return new MeetCheck(session, counts, rendezvous).run(ranks, output());
    }
    refuse("needs --ranks", "--rendezvous");
    if (words.isEmpty()) {
      throw new UsageException("name the files to verify, or a set of them with --ranks");
    }
    ImmutableList<InputFile> files = InputFiles.collect(words);
    List<String> failing = new ArrayList<>();
    int leftOut = 0;
    try (Progress progress = new Progress(session.console(), "files", files.size())) {
      int done = 0;
      for (InputFile file : files) {
        Optional<String> failure;
        try {
          failure = check(session, file);
        } catch (UsageException | EnvironmentException e) {
          if (files.size() == 1) {
            throw e;
          }
          session.forget(file.name());
          leftOut++;
          continue;
        }
        failure.ifPresent(failing::add);
        if (failure.isPresent() && isShown(session)) {
          session.console().out().println(failure.get());
        }
        progress.update(++done);
      }
    }
    if (leftOut > 0) {
      session.say("note: left out " + leftOut + " files in formats that are not read yet");
    }
    int checked = files.size() - leftOut;
    int ok = checked - failing.size();
    session
        .report()
        .put("files", ImmutableMap.of("all", checked, "ok", ok, "failed", failing.size()));
    session.report().put("failing", failing);
    String last = String.format("%d files, %d ok, %d failed%n", checked, ok, failing.size());
    if (isShown(session)) {
      session.console().out().print(last);
    } else if (output() != null) {
      List<String> lines = new ArrayList<>(failing);
      lines.add(last);
      session.writeResult(output(), "text", String.join(System.lineSeparator(), lines));
    }
    return failing.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private boolean isShown(Session session) {
    return !session.isJson() && output() == null;
  }

  /** Returns the line that says how {@code file} fails, if it does. */
  private Optional<String> check(Session session, InputFile file) {
    ImmutableList<Source> chunks;
    try {
      Source whole = file.read(session);
      chunks = split ? Chunks.split(whole) : ImmutableList.of(whole);
    } catch (DiagnosticException e) {
      return Optional.of(describe(session, e.diagnostics()));
    }
    int failed = 0;
    String first = "";
    for (Source chunk : chunks) {
      try {
        checkChunk(session, chunk);
      } catch (DiagnosticException e) {
        String line = describe(session, e.diagnostics());
        first = failed++ == 0 ? line : first;
      } catch (UsageException e) {
        throw e;
      } catch (RuntimeException | StackOverflowError | LinkageError e) {
        // One file that breaks us must not hide what the others are like.
        session.reportBug(e);
        first = failed++ == 0 ? chunk.name() + ": a bug in lockstep" : first;
      }
    }
    session.forget(file.name());
    if (failed == 0) {
      return Optional.empty();
    }
    return Optional.of(
        chunks.size() == 1
            ? first
            : String.format(
                "%s (%d of %d chunks failed, this is the first)", first, failed, chunks.size()));
  }

  private void checkChunk(Session session, Source source) {
    for (Module module : Programs.readAllVerified(session, source)) {
      if (roundtrip) {
        session.doing("printing and reading " + source.name());
        checkRoundtrip(source, module);
      }
    }
  }

  private static void checkRoundtrip(Source source, Module module) {
    String printed = Programs.print(module);
    String name = source.name() + " (printed)";
    Module again;
    try {
      again = Programs.read(Programs.source(name, printed));
    } catch (DiagnosticException e) {
      Diagnostic reason = e.diagnostics().get(0);
      throw new DiagnosticException(
          Diagnostic.error(ROUNDTRIP, "what was printed cannot be read", new Location(source, 0, 0))
              .withNote(reason.message(), reason.location()));
    }
    String second = Programs.print(again);
    if (!second.equals(printed)) {
      ImmutableList<String> before = printed.lines().collect(ImmutableList.toImmutableList());
      ImmutableList<String> after = second.lines().collect(ImmutableList.toImmutableList());
      int line = 0;
      while (line < Math.min(before.size(), after.size())
          && before.get(line).equals(after.get(line))) {
        line++;
      }
      throw DiagnosticException.error(
          ROUNDTRIP,
          String.format(
              "what was printed, read and printed again differs in line %d: '%s', before '%s'",
              line + 1,
              line < after.size() ? after.get(line).strip() : "",
              line < before.size() ? before.get(line).strip() : ""),
          new Location(source, 0, 0));
    }
  }

  private static String describe(Session session, ImmutableList<Diagnostic> diagnostics) {
    diagnostics.forEach(session::print);
    Diagnostic first =
        diagnostics.stream()
            .filter(diagnostic -> diagnostic.severity() == Severity.ERROR)
            .findFirst()
            .orElse(diagnostics.get(0));
    return first.toString().lines().findFirst().orElse("");
  }
}
