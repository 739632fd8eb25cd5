package dev.lockstep.tools.verb;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.runtime.values.ValueWriter;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.JsonReport;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.handshake.JoinFlags;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.job.JobLauncher;
import dev.lockstep.tools.job.JobRequest;
import dev.lockstep.tools.job.JobResult;
import dev.lockstep.tools.job.ParentWatch;
import dev.lockstep.tools.job.RankProcess;
import dev.lockstep.tools.pjrt.CompileOnly;
import dev.lockstep.tools.pjrt.MeetGuard;
import dev.lockstep.tools.pjrt.PjrtBackend;
import dev.lockstep.tools.pjrt.Plugins;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Results;
import dev.lockstep.tools.run.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a program on every device of a grid. */
@Command(description = "Run a program on N devices and give what each computes.")
final class RunVerb extends Verb {
  @Parameters(
      arity = "0..*",
      paramLabel = "FILE",
      description =
          "The program, or a folder that split wrote; - for standard input. With --stage, the"
              + " programs of this rank in order.")
  private List<String> words = new ArrayList<>();

  @Mixin private CountOptions counts = new CountOptions();

  @Mixin private AheadOptions ahead = new AheadOptions();

  @Option(
      names = "--ranks",
      paramLabel = "SET",
      description = "The programs of all ranks instead: a pattern, a folder or FILE.json.")
  private @Nullable String ranks;

  @Option(
      names = "--input",
      paramLabel = "FILE",
      description = "Arguments by key (in0, in0.dev1), JSON or npz; or npy for argument 0.")
  private @Nullable Path input;

  @Option(
      names = "--random",
      paramLabel = "SEED",
      description = "Random arguments, the same for the same seed.")
  private @Nullable Long seed;

  @Option(
      names = "--check",
      description =
          "Compare the results with the out<i> of the input file, instead of showing them.")
  private boolean check;

  @Option(
      names = "--rtol",
      paramLabel = "X",
      description = "Relative tolerance of --check, instead of one that fits the type.")
  private @Nullable Double relativeTolerance;

  @Option(
      names = "--atol",
      paramLabel = "X",
      description = "Absolute tolerance of --check, instead of one that fits the type.")
  private @Nullable Double absoluteTolerance;

  @Option(names = "--rendezvous", description = "A send waits until its receiver is there.")
  private boolean rendezvous;

  @Option(
      names = "--print-lowered",
      description =
          "Print the program as it is run where calls, sends or receives in it were lowered.")
  private boolean printLowered;

  @Option(
      names = "--backend",
      paramLabel = "NAME",
      description = "What computes: interp, the interpreter, or pjrt, a plugin.")
  private String backend = "interp";

  @Option(
      names = "--plugin",
      paramLabel = "FILE",
      description = "The PJRT plugin; the installed one for CPUs without it.")
  private @Nullable String plugin;

  @Option(
      names = "--plugin-option",
      paramLabel = "NAME=VALUE",
      description = "An option of the plugin for its devices.")
  private List<String> pluginOptions = new ArrayList<>();

  @Option(
      names = "--compare",
      description = "Run on the plugin and on the interpreter, and compare.")
  private boolean compare;

  @Option(
      names = "--repeat",
      paramLabel = "N",
      description = "Launch N times on the plugin and say how long a launch takes.")
  private int repeat = 1;

  @Option(
      names = "--stage",
      paramLabel = "STAGE",
      description =
          "A process a rank: with --ranks start them, else be one. Ranks ask what they may run"
              + " whole: off, compile or dispatch (docs/handshake.md).")
  private @Nullable String stage;

  @Mixin private JoinFlags join = new JoinFlags();

  @Option(names = "--report", hidden = true)
  private @Nullable Path report;

  @Option(names = "--while-open", hidden = true)
  private boolean whileOpen;

  private static void tolerance(String flag, @Nullable Double value) {
    if (value != null && !(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new UsageException(flag + " is " + value + ", must be a number from 0 on");
    }
  }

  @Override
  protected int execute(Session session) throws IOException {
    tolerance("--rtol", relativeTolerance);
    tolerance("--atol", absoluteTolerance);
    counts.check(session);
    checkFlags();
    if (stage != null) {
      return executeApart(session, JoinFlags.stage(stage));
    }
    session.doing("reading what to run");
    Workload work = workload(session);
    announce(session, work);
    if (ahead.compileOnly()) {
      new CompileOnly(plugin, Plugins.options(pluginOptions), ahead.topology())
          .run(session, work, output());
      return ExitCode.OK;
    }
    ValueFile file = input == null ? null : readValues(session);
    session.doing("running on " + work.grid().size() + " devices");
    List<ImmutableList<Datum>> arguments = arguments(work, file);
    InterpreterOptions options =
        InterpreterOptions.DEFAULT
            .withRendezvous(rendezvous)
            .withPrinter(session::say)
            .withWarnings(session::print);
    // The interpreter goes first: it says who waits for whom, where XLA would end the process.
    boolean onPlugin = !backend.equals("interp") || compare;
    boolean isProven = !onPlugin || MeetGuard.isProven(session, work);
    if (!isProven && !compare) {
      session.say(
          "note: whether the devices meet depends on values; the interpreter runs first to see");
    }
    Results interpreted =
        !onPlugin || compare || !isProven
            ? Results.of(
                GridInterpreter.run(work.program(), work.grid(), arguments, options), work.layout())
            : null;
    Results results =
        interpreted != null && !onPlugin
            ? interpreted
            : Results.of(
                new PjrtBackend(plugin, Plugins.options(pluginOptions), repeat)
                    .run(session, work, arguments),
                work.layout());
    int agreed =
        interpreted != null && compare
            ? tell(
                session,
                results,
                results.compareWith(interpreted, relativeTolerance, absoluteTolerance))
            : ExitCode.OK;
    int exit = show(session, results, file);
    if (file != null) {
      List<String> unused = new ArrayList<>(file.unused());
      unused.removeIf(key -> !check && key.startsWith("out"));
      if (!unused.isEmpty()) {
        session.say("note: nothing asks for " + String.join(", ", unused) + " in " + input);
      }
    }
    return Math.max(exit, agreed);
  }

  private int show(Session session, Results results, @Nullable ValueFile file) throws IOException {
    if (!check && !compare || output() != null) {
      write(session, results);
    }
    return check ? compare(session, results, file) : ExitCode.OK;
  }

  /** Runs a process a rank, or as one of them. */
  private int executeApart(Session session, Stage when) throws IOException {
    boolean starts = ranks != null && !join.namesRank();
    if (!starts && ranks == null && words.isEmpty()) {
      throw new UsageException("--stage needs the programs of this rank, or --ranks SET");
    }
    if (whileOpen) {
      ParentWatch.start(session.console().in());
    }
    JobRequest request =
        new JobRequest(
            when, join, ranks, words, counts.partitions(), input, seed, rendezvous, report);
    JobResult result =
        starts ? JobLauncher.run(session, request) : RankProcess.run(session, request);
    Results results = result.results();
    return results == null || report != null
        ? result.exit()
        : show(session, results, input == null ? null : readValues(session));
  }

  private void checkFlags() {
    if (!backend.equals("interp") && !backend.equals("pjrt")) {
      throw new UsageException("--backend is " + backend + ", must be interp or pjrt");
    }
    if (backend.equals("interp")
        && !compare
        && (plugin != null || !pluginOptions.isEmpty() || repeat != 1)) {
      throw new UsageException(
          "--plugin, --plugin-option and --repeat need --backend pjrt or --compare");
    }
    if (!check && !compare && (relativeTolerance != null || absoluteTolerance != null)) {
      throw new UsageException("--rtol and --atol need --check or --compare");
    }
    if (repeat < 1) {
      throw new UsageException("--repeat is " + repeat + ", must be at least 1");
    }
    if (stage == null) {
      refuse("needs --stage", JoinFlags.NAMES.toArray(new String[0]));
    }
    if (stage != null
        && (!backend.equals("interp")
            || compare
            || repeat > 1
            || printLowered
            || ahead.compileOnly())) {
      throw new UsageException(
          "--stage runs on the interpreter: --backend, --compare, --compile-only, --repeat and"
              + " --print-lowered do not go with it");
    }
    if (input != null && seed != null) {
      throw new UsageException("--input and --random exclude each other");
    }
    if (check && input == null) {
      throw new UsageException("--check compares with the input file; give --input FILE");
    }
    if (ranks != null && !words.isEmpty()) {
      throw new UsageException("--ranks names the files; give no other");
    }
    ahead.check(backend, input != null || seed != null || check || compare || repeat > 1);
    if (!ahead.compileOnly()
        && output() != null
        && !output().toString().matches(".*\\.(?:npz|json|npy)")) {
      throw new UsageException("-o " + output() + ": the name must end with .npz, .json or .npy");
    }
  }

  private Workload workload(Session session) {
    WorkloadReader reader = new WorkloadReader(session, counts, rendezvous);
    return ranks != null ? reader.ofRanks(ranks) : reader.ofWords(words);
  }

  private void announce(Session session, Workload work) {
    if (work.calls() == 0 && work.lowered().isEmpty()) {
      return;
    }
    session.say(
        work.calls() == 0
            ? "note: lowered sends and receives to permutes"
            : "note: lowered " + work.calls() + " torch.distributed calls to XLA ops");
    session.report().put("lowered_calls", work.calls());
    if (printLowered) {
      for (Module module : work.lowered()) {
        session.console().err().print(Programs.print(module));
      }
    }
  }

  private ValueFile readValues(Session session) {
    Path file = requireNonNull(input);
    session.doing("reading " + file);
    try {
      return ValueFile.read(file);
    } catch (IOException e) {
      throw DiagnosticException.error(
          InputFile.UNREADABLE, file + ": " + IoMessages.reason(e), Location.UNKNOWN);
    }
  }

  private List<ImmutableList<Datum>> arguments(Workload work, @Nullable ValueFile file) {
    if (file != null) {
      return work.arguments(file);
    }
    int wanted = work.argumentCount();
    if (seed == null && wanted > 0) {
      throw new UsageException(
          String.format(
              "the program takes %d argument%s; give --input FILE or --random SEED",
              wanted, wanted == 1 ? "" : "s"));
    }
    return work.arguments(seed == null ? 0 : seed);
  }

  private void write(Session session, Results results) throws IOException {
    ImmutableMap<String, Literal> values = ImmutableMap.copyOf(results.byKey());
    Path file = output();
    if (file == null) {
      if (session.isJson()) {
        session
            .report()
            .put("results", (JsonReport.Writable) json -> ValueWriter.writeJson(json, values));
      } else {
        session.console().out().print(results.describe());
      }
      return;
    }
    if (file.toString().endsWith(".npy") && values.size() != 1) {
      throw new UsageException(
          "-o " + file + ": there are " + values.size() + " values, a .npy holds one");
    }
    session.write(
        file,
        out -> {
          if (file.toString().endsWith(".npz")) {
            ValueWriter.writeNpz(out, values);
          } else if (file.toString().endsWith(".json")) {
            ValueWriter.writeJson(out, values);
          } else {
            ValueWriter.writeNpy(out, values.values().iterator().next());
          }
        });
    session.say("wrote " + values.size() + " values to " + file);
  }

  private int compare(Session session, Results results, @Nullable ValueFile file) {
    Results.Comparison comparison =
        results.compare(requireNonNull(file), relativeTolerance, absoluteTolerance);
    int exit = tell(session, results, comparison);
    if (comparison.compared() == 0) {
      session.say("nothing was compared: " + input + " holds no out<i>");
      return ExitCode.FAILED;
    }
    return exit;
  }

  private static int tell(Session session, Results results, Results.Comparison comparison) {
    session.report().put("compared", comparison.compared());
    session.report().put("differences", comparison.differences());
    if (session.isJson()) {
      session.report().put("verdicts", comparison.verdicts());
    } else {
      session.console().out().print(results.describe(comparison));
    }
    comparison.differences().forEach(session::say);
    session.say(
        String.format(
            "%d values compared, %d differ",
            comparison.compared(), comparison.differences().size()));
    return comparison.differences().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
