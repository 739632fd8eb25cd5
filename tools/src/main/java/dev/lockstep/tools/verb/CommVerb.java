package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.comm.CommRow;
import dev.lockstep.tools.comm.CommSummary;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Programs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Says what programs communicate. */
@Command(description = "Count the collectives of programs, and the bytes that they move.")
final class CommVerb extends Verb {
  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description = "Files, folders, patterns in quotes; - for standard input.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--before",
      paramLabel = "PIPELINE",
      description = "Count what this pipeline makes of the program.")
  private @Nullable String before;

  @Option(
      names = "--after",
      paramLabel = "PIPELINE",
      description = "Also count what this pipeline makes of it, and say what that saves.")
  private @Nullable String after;

  @Mixin private CountOptions counts = new CountOptions();

  private final StringBuilder text = new StringBuilder();

  @Override
  protected int execute(Session session) throws IOException {
    counts.check(session);
    ImmutableList<InputFile> files = InputFiles.collect(words);
    List<Object> reports = new ArrayList<>();
    for (InputFile file : files) {
      session.doing("reading " + file.name());
      Module module = Programs.read(session, file.read(session));
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("file", file.name());
      if (files.size() > 1) {
        text.append(file.name()).append(":\n");
      }
      ImmutableList<CommRow> first = rows(session, module, before);
      report.put("collectives", json(first));
      table(first);
      if (after != null) {
        ImmutableList<CommRow> second = rows(session, module, after);
        report.put("after", json(second));
        text.append("after ").append(after).append(":\n");
        table(second);
        savings(first, second);
      }
      reports.add(report);
    }
    session.report().put("files", reports);
    if (output() != null || !session.isJson()) {
      session.writeResult(output(), "text", text.toString());
    }
    return ExitCode.OK;
  }

  private ImmutableList<CommRow> rows(Session session, Module module, @Nullable String pipeline) {
    if (pipeline == null) {
      return CommSummary.of(module);
    }
    session.doing("running " + pipeline);
    DiagnosticSink sink = new DiagnosticSink();
    Module changed =
        PassManager.builder()
            .counts(counts.replicas(), counts.partitions())
            .build()
            .run(Pipeline.parse(pipeline, AllPasses.registry()), module, sink);
    sink.diagnostics().forEach(session::print);
    return CommSummary.of(changed);
  }

  private static List<Object> json(ImmutableList<CommRow> rows) {
    List<Object> out = new ArrayList<>();
    for (CommRow row : rows) {
      ImmutableMap.Builder<String, Object> fields =
          ImmutableMap.<String, Object>builder()
              .put("kind", row.kind())
              .put("groups", row.groups())
              .put("loop", row.loop())
              .put("ops", row.ops())
              .put("bytes", row.bytes());
      row.runs().ifPresent(runs -> fields.put("runs", runs));
      row.bytesOfRun().ifPresent(bytes -> fields.put("bytes_of_run", bytes));
      out.add(fields.buildOrThrow());
    }
    return out;
  }

  private void table(ImmutableList<CommRow> rows) {
    if (rows.isEmpty()) {
      text.append("no collectives\n");
      return;
    }
    List<String[]> cells = new ArrayList<>();
    cells.add(new String[] {"kind", "groups", "loop", "ops", "runs", "bytes", "bytes of run"});
    for (CommRow row : rows) {
      cells.add(
          new String[] {
            row.kind(),
            row.groups(),
            row.loop().isEmpty() ? "-" : row.loop(),
            Long.toString(row.ops()),
            known(row.runs()),
            Long.toString(row.bytes()),
            known(row.bytesOfRun())
          });
    }
    cells.add(
        new String[] {
          "total",
          "",
          "",
          Long.toString(rows.stream().mapToLong(CommRow::ops).sum()),
          known(sum(rows, true)),
          Long.toString(rows.stream().mapToLong(CommRow::bytes).sum()),
          known(sum(rows, false))
        });
    int[] widths = new int[7];
    for (String[] line : cells) {
      for (int i = 0; i < line.length; i++) {
        widths[i] = Math.max(widths[i], line[i].length());
      }
    }
    for (String[] line : cells) {
      StringBuilder row = new StringBuilder();
      for (int i = 0; i < line.length; i++) {
        String format = (i < 3 ? "%-" : "%") + widths[i] + "s  ";
        row.append(String.format(Locale.ROOT, format, line[i]));
      }
      text.append(row.toString().stripTrailing()).append('\n');
    }
  }

  private void savings(ImmutableList<CommRow> first, ImmutableList<CommRow> second) {
    long ops = total(first, true) - total(second, true);
    long bytes = total(first, false) - total(second, false);
    text.append(
        String.format(
            Locale.ROOT,
            "saved: %d of %d collectives, %d of %d bytes%n",
            ops,
            total(first, true),
            bytes,
            total(first, false)));
  }

  private static long total(ImmutableList<CommRow> rows, boolean ops) {
    return rows.stream().mapToLong(row -> ops ? row.ops() : row.bytes()).sum();
  }

  private static OptionalLong sum(ImmutableList<CommRow> rows, boolean runs) {
    long sum = 0;
    for (CommRow row : rows) {
      OptionalLong part = runs ? row.runs() : row.bytesOfRun();
      if (part.isEmpty()) {
        return part;
      }
      sum += part.getAsLong();
    }
    return OptionalLong.of(sum);
  }

  private static String known(OptionalLong value) {
    return value.isPresent() ? Long.toString(value.getAsLong()) : "?";
  }
}
