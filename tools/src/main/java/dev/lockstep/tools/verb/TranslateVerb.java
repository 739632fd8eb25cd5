package dev.lockstep.tools.verb;

import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.program.OutputFormat;
import dev.lockstep.tools.program.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes a program in another format. */
@Command(description = "Write a program in another format.")
final class TranslateVerb extends Verb {
  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "The program; - or nothing for standard input.")
  private String word = "-";

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      description = "stablehlo, hlo, hlo-proto (binary) or hlo-proto-text.")
  private @Nullable String to;

  @Mixin private CountOptions counts = new CountOptions();

  @Override
  protected int execute(Session session) throws IOException {
    counts.check(session);
    if (to == null) {
      throw new UsageException(
          "say into which format: --to stablehlo, hlo, hlo-proto or hlo-proto-text");
    }
    OutputFormat format = OutputFormat.named(to);
    List<InputFile> files = InputFiles.collect(List.of(word));
    if (files.size() != 1) {
      throw new UsageException("translate takes one file, not " + files.size());
    }
    Source source = files.get(0).read(session);
    session.doing("reading " + source.name());
    Module module =
        Programs.read(session, source).withCounts(counts.replicas(), counts.partitions());
    DiagnosticSink sink = new DiagnosticSink();
    Programs.verify(module, sink);
    sink.throwIfErrors();
    sink.diagnostics().forEach(session::print);
    session.doing("writing " + source.name() + " as " + format.word());
    byte[] bytes = format.write(module);
    boolean proto = format == OutputFormat.HLO_PROTO || format == OutputFormat.HLO_PROTO_TEXT;
    if (proto && (module.replicas().orElse(1) > 1 || module.partitions().orElse(1) > 1)) {
      session.say(
          "note: a proto does not say how many replicas and partitions it is for; give --replicas "
              + module.replicas().orElse(1)
              + " --partitions "
              + module.partitions().orElse(1)
              + " with it");
    }
    if (format.isText()) {
      session.writeResult(output(), "output", new String(bytes, StandardCharsets.UTF_8));
    } else {
      session.writeBinary(output(), "output", bytes);
    }
    return ExitCode.OK;
  }
}
