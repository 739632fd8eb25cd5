package dev.lockstep.tools.verb;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.pass.Pass;
import dev.lockstep.pass.PassInfo;
import dev.lockstep.pass.PassManager;
import dev.lockstep.pass.PassRegistry;
import dev.lockstep.pass.Pipeline;
import dev.lockstep.pass.instrument.PassReport;
import dev.lockstep.pass.instrument.PrintIr;
import dev.lockstep.runtime.values.ValueWriter;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.input.ResultNames;
import dev.lockstep.tools.program.AllPasses;
import dev.lockstep.tools.program.Chunks;
import dev.lockstep.tools.program.OutputFormat;
import dev.lockstep.tools.program.ProgramSet;
import dev.lockstep.tools.program.Programs;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads programs, runs a pipeline on them and prints them. */
@Command(description = "Read programs, run a pipeline on them, print them.")
final class OptVerb extends Verb {
  private static final ImmutableSet<String> PRINTS_EVERY_PASS =
      ImmutableSet.of("--print-ir-before", "--print-ir-after");

  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description = "Files, folders, patterns in quotes; - or nothing for standard input.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--pipeline",
      paramLabel = "PASSES",
      description = "Passes to run, as 'a,b{x=1}'; every pass also is a flag of its own name.")
  private List<String> pipelines = new ArrayList<>();

  @Option(
      names = "--ranks",
      paramLabel = "SET",
      description =
          "The programs of all ranks: a pattern, a folder or FILE.json; -o names a folder.")
  private @Nullable String ranks;

  @Option(
      names = "--to",
      paramLabel = "FORMAT",
      description =
          "Format to print: stablehlo, hlo, hlo-proto or hlo-proto-text; else text as it was read.")
  private @Nullable String to;

  @Option(names = "--verify-each", description = "Verify after every pass.")
  private boolean verifyEach;

  @Option(
      names = "--print-ir-before",
      paramLabel = "PASS",
      description = "Print the program before that pass; before every pass without a name.")
  private Set<String> printBefore = new HashSet<>();

  @Option(
      names = "--print-ir-after",
      paramLabel = "PASS",
      description = "Print the program after that pass; after every pass without a name.")
  private Set<String> printAfter = new HashSet<>();

  @Option(
      names = "--print-ir-after-change",
      description = "Print the program after every pass that changed it.")
  private boolean printAfterChange;

  @Option(
      names = "--split-input-file",
      description = "Take the chunks between lines '// -----' one by one.")
  private boolean split;

  @Option(names = "--timing", description = "Say how long each pass took.")
  private boolean timing;

  @Option(names = "--stats", description = "Say what each pass counted.")
  private boolean statistics;

  @Option(names = "--list-passes", description = "List all passes and end.")
  private boolean listPasses;

  @Mixin private CountOptions counts = new CountOptions();

  /** What was written last: in a folder, each result of one file is in the same format. */
  private OutputFormat lastFormat = OutputFormat.STABLEHLO;

  private final PassReport passReport = new PassReport();
  private final List<byte[]> outputs = new ArrayList<>();
  private final Map<String, Literal> kept = new LinkedHashMap<>();

  @Override
  protected void extend(CommandSpec verb) {
    List<String> passes = new ArrayList<>();
    for (Pass pass : AllPasses.registry().all()) {
      passes.add("  --" + pass.info().name());
      passes.add("      " + pass.info().summary() + ".");
    }
    verb.usageMessage()
        .footerHeading(passes.isEmpty() ? "" : "%nPasses:%n")
        .footer(passes.toArray(new String[0]));
  }

  @Override
  protected ImmutableList<String> otherFlags() {
    return AllPasses.registry().all().stream()
        .map(pass -> "--" + pass.info().name())
        .collect(ImmutableList.toImmutableList());
  }

  /** Turns the flags that are passes into pipelines, in the order in which they stand. */
  @Override
  protected List<String> prepare(List<String> arguments) {
    PassRegistry registry = AllPasses.registry();
    List<String> out = new ArrayList<>();
    for (String argument : arguments) {
      int equals = argument.indexOf('=');
      String flag = equals < 0 ? argument : argument.substring(0, equals);
      if (PRINTS_EVERY_PASS.contains(argument)) {
        out.add(argument + "=" + PrintIr.EVERY);
      } else if (flag.startsWith("--") && registry.find(flag.substring(2)).isPresent()) {
        String options = equals < 0 ? "" : "{" + argument.substring(equals + 1) + "}";
        out.add("--pipeline=" + flag.substring(2) + options);
      } else {
        out.add(argument);
      }
    }
    return out;
  }

  @Override
  protected int execute(Session session) throws IOException {
    counts.check(session);
    if (listPasses) {
      listPasses(session);
      return ExitCode.OK;
    }
    Pipeline pipeline =
        pipelines.isEmpty()
            ? Pipeline.of()
            : Pipeline.parse(String.join(",", pipelines), AllPasses.registry());
    checkPrints("--print-ir-before", printBefore, pipeline, session);
    checkPrints("--print-ir-after", printAfter, pipeline, session);
    int exit = ranks == null ? files(session, pipeline) : set(session, ranks, pipeline);
    if (timing) {
      session.console().err().print(passReport.timing());
    }
    if (statistics) {
      session.console().err().print(passReport.statistics());
    }
    return exit;
  }

  /** Refuses names of passes that are none; says of passes that do not run. */
  private static void checkPrints(
      String flag, Set<String> names, Pipeline pipeline, Session session) {
    PassRegistry registry = AllPasses.registry();
    for (String name : names) {
      if (name.equals(PrintIr.EVERY)) {
        continue;
      }
      if (registry.find(name).isEmpty()) {
        throw new UsageException(flag + "=" + name + ": " + registry.unknown(name));
      }
      if (!pipeline.names().contains(name)) {
        session.say("note: " + flag + "=" + name + " prints nothing: the pipeline has no " + name);
      }
    }
  }

  /** Transforms files one by one. */
  private int files(Session session, Pipeline pipeline) throws IOException {
    ImmutableList<InputFile> files = InputFiles.collect(words.isEmpty() ? List.of("-") : words);
    boolean toFolder = toFolder(files.size());
    ImmutableMap<InputFile, String> names = ResultNames.of(ImmutableSet.copyOf(files));
    Set<String> written = new HashSet<>();
    PassManager manager = manager(session);
    int exit = ExitCode.OK;
    for (InputFile file : files) {
      List<byte[]> results = new ArrayList<>();
      Source whole = file.read(session);
      for (Source chunk : split ? Chunks.split(whole) : ImmutableList.of(whole)) {
        try {
          results.add(transform(session, chunk, pipeline, manager));
        } catch (DiagnosticException e) {
          e.diagnostics().forEach(session::print);
          exit = ExitCode.FAILED;
        }
      }
      if (toFolder && results.isEmpty()) {
        session.say("note: nothing was written for " + file.name());
      } else if (toFolder) {
        String name = file.path() == null ? "stdin.mlir" : requireNonNull(names.get(file));
        String resultName = OutputFormat.fileName(name, lastFormat);
        if (!written.add(resultName)) {
          // Such as a.hlo after a.mlir, both written as HLO.
          resultName = OutputFormat.fileName(name + ".mlir", lastFormat);
          written.add(resultName);
        }
        writeInto(session, resultName, results);
      } else {
        outputs.addAll(results);
      }
    }
    if (!toFolder && (exit == ExitCode.OK || split)) {
      write(session, output(), outputs);
    }
    return exit;
  }

  /** Transforms the programs of all ranks, which a pass may want to see together. */
  private int set(Session session, String word, Pipeline pipeline) throws IOException {
    if (!words.isEmpty()) {
      throw new UsageException(
          "--ranks names the files; give no others, and put patterns in quotes");
    }
    if (split) {
      throw new UsageException("--split-input-file takes chunks of files, --ranks whole ones");
    }
    if (output() == null) {
      throw new UsageException("--ranks needs -o and a folder for the programs of the ranks");
    }
    if (Files.isRegularFile(output())) {
      throw new UsageException(notFolder(output()));
    }
    ProgramSet set = ProgramSet.read(session, word);
    session.doing("running " + pipeline + " on " + word);
    DiagnosticSink sink = new DiagnosticSink();
    ImmutableList<ImmutableList<Module>> after =
        manager(session).runSet(pipeline, set.modules(), sink);
    sink.diagnostics().forEach(session::print);
    writeKept(session);
    Map<String, Module> written = new HashMap<>();
    for (int rank = 0; rank < set.size(); rank++) {
      for (int i = 0; i < after.get(rank).size(); i++) {
        Module module = after.get(rank).get(i);
        String name = OutputFormat.fileName(set.ranks().get(rank).get(i).name(), format(module));
        Module other = written.putIfAbsent(name, module);
        if (other != null && other != module) {
          // One file that several ranks run may become several programs.
          name = "rank" + rank + "/" + name;
        }
        if (other != module) {
          session.doing("printing " + name);
          writeInto(session, name, List.of(format(module).write(module)));
        }
      }
    }
    return ExitCode.OK;
  }

  /** Writes what programs need besides their texts, such as arguments that a pass added. */
  private void writeKept(Session session) throws IOException {
    if (kept.isEmpty()) {
      return;
    }
    Path file = session.inFolder(requireNonNull(output()), "added.npz");
    session.write(file, out -> ValueWriter.writeNpz(out, kept));
    session.say("wrote the values of added arguments to " + file);
  }

  private boolean toFolder(int files) {
    Path folder = output();
    if (folder == null || Files.isDirectory(folder) || spelledAsFolder()) {
      return folder != null;
    }
    if (files > 1 && (Files.exists(folder) || folder.getFileName().toString().contains("."))) {
      throw new UsageException(
          Files.exists(folder)
              ? notFolder(folder)
              : "several programs need a folder after -o; write " + folder + "/ for a new one");
    }
    return files > 1;
  }

  private static String notFolder(Path file) {
    return "-o " + file + " is a file; several programs need a folder";
  }

  private boolean spelledAsFolder() {
    return spec().findOption("-o").stringValues().stream().anyMatch(word -> word.endsWith("/"));
  }

  private void writeInto(Session session, String name, List<byte[]> results) throws IOException {
    write(session, session.inFolder(requireNonNull(output()), name), results);
  }

  /** Writes texts with lines between them, or the one binary result. */
  private void write(Session session, @Nullable Path file, List<byte[]> results)
      throws IOException {
    if (to == null || OutputFormat.named(to).isText()) {
      List<String> texts = new ArrayList<>();
      results.forEach(result -> texts.add(new String(result, StandardCharsets.UTF_8)));
      session.writeResult(file, "output", String.join(Chunks.SEPARATOR, texts));
    } else if (results.size() == 1) {
      session.writeBinary(file, "output", results.get(0));
    } else {
      throw new UsageException("--to " + to + " writes one program a file; name a folder after -o");
    }
  }

  private PassManager manager(Session session) {
    PassManager.Builder builder =
        PassManager.builder()
            .counts(counts.replicas(), counts.partitions())
            .values(kept::put)
            .instrument(passReport)
            .instrument(
                new PrintIr(
                    ImmutableSet.copyOf(printBefore),
                    ImmutableSet.copyOf(printAfter),
                    printAfterChange,
                    Programs::print,
                    session.console().err()::print));
    if (verifyEach) {
      builder.verifyEach(Programs::verify);
    }
    return builder.build();
  }

  private byte[] transform(Session session, Source source, Pipeline pipeline, PassManager manager) {
    Module module = Programs.readVerified(session, source);
    session.doing("running " + pipeline + " on " + source.name());
    DiagnosticSink sink = new DiagnosticSink();
    Module after = manager.run(pipeline, module, sink);
    sink.diagnostics().forEach(session::print);
    session.doing("printing " + source.name());
    lastFormat = format(after);
    return lastFormat.write(after);
  }

  private OutputFormat format(Module module) {
    return to == null ? OutputFormat.of(module) : OutputFormat.named(to);
  }

  private static void listPasses(Session session) {
    List<Object> listed = new ArrayList<>();
    for (Pass pass : AllPasses.registry().all()) {
      PassInfo info = pass.info();
      listed.add(ImmutableMap.of("name", info.name(), "summary", info.summary()));
      if (!session.isJson()) {
        session.console().out().printf("%-34s %s%n", info.name(), info.summary());
      }
    }
    session.report().put("passes", listed);
  }
}
