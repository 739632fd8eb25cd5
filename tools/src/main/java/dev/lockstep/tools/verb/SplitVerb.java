package dev.lockstep.tools.verb;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.hlo.plan.SplitVerdict;
import dev.lockstep.pass.cost.DeviceModel;
import dev.lockstep.pass.region.CollectiveSites;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.Failure;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.match.Verdict;
import dev.lockstep.pass.region.split.Split;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.plan.PlanWriter;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.JsonReport;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.Verb;
import dev.lockstep.tools.cost.DeviceFile;
import dev.lockstep.tools.cost.EstimateReport;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.program.DistributedCalls;
import dev.lockstep.tools.program.Jobs;
import dev.lockstep.tools.program.ProgramSet;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.split.PlanTable;
import dev.lockstep.tools.split.VerdictFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Cuts programs into segments that are compiled apart. */
@Command(
    description = {
      "Cut programs into segments that are compiled apart.",
      "The program that all ranks run, or the programs of ranks, stay whole (fat) or are cut around"
          + " every collective (skinny) or only around what differs between ranks (auto)."
          + " Collectives keep their order. -o DIR writes the segments and their plan, which run"
          + " executes."
    })
final class SplitVerb extends Verb {
  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "The program of all ranks; - for standard input.")
  private List<String> words = new ArrayList<>();

  @Option(
      names = "--ranks",
      paramLabel = "SET",
      description = "The programs of all ranks instead: a pattern, a folder or FILE.json.")
  private @Nullable String ranks;

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      description = "fat, skinny or auto; auto unless a verdict says.")
  private @Nullable String modeWord;

  @Option(
      names = "--verdict",
      paramLabel = "FILE",
      description = "What ranks have agreed on, as JSON (docs/plans.md).")
  private @Nullable Path verdictFile;

  @Option(
      names = "--estimate",
      description = "Say what the program takes fat, skinny and as planned, on the --device.")
  private boolean estimate;

  @Option(
      names = "--device",
      paramLabel = "FILE",
      description =
          "The device of --estimate: a file (docs/estimate.md), or one of v5e, v5p, tpu7x, h100,"
              + " mi350x.")
  private @Nullable String device;

  @Mixin private CountOptions counts = new CountOptions();

  private @Nullable DeviceModel deviceModel;

  /** For each rank its programs; of a program that all ranks run, only that. */
  private ImmutableList<ImmutableList<Module>> read = ImmutableList.of();

  @Override
  protected int execute(Session session) throws IOException {
    counts.check(session);
    checkFlags();
    // Flags and small files first: who mistyped one shall not wait for the programs.
    deviceModel = estimate ? DeviceFile.read(session, requireNonNull(device)) : null;
    SplitVerdict verdict = verdictFile == null ? null : readVerdict(verdictFile);
    return ranks == null
        ? write(session, ofOne(session, verdict))
        : ofRanks(session, ranks, verdict);
  }

  private void checkFlags() {
    if (ranks != null && !words.isEmpty()) {
      throw new UsageException("--ranks names the files; give no other");
    }
    if (modeWord != null && verdictFile != null) {
      throw new UsageException("--verdict says the mode; give no --mode");
    }
    if (estimate && device == null) {
      throw new UsageException("--estimate needs --device; see split --help");
    }
    if (!estimate && device != null) {
      throw new UsageException("--device is the device of --estimate, which is not given");
    }
    if (output() != null && Files.isRegularFile(output())) {
      throw new UsageException("-o " + output() + " names a folder, and this is a file");
    }
  }

  private PlanMode mode(@Nullable SplitVerdict verdict) {
    if (verdict != null) {
      return switch (verdict.kind()) {
        case FAT -> PlanMode.FAT;
        case SKINNY -> PlanMode.SKINNY;
        case PARTIAL -> PlanMode.AUTO;
        case REPAIR ->
            throw refusedVerdict(
                "the ranks agreed to repair their programs: do so first (diff --repair), then split"
                    + " what that writes with --mode fat");
      };
    }
    String word = modeWord == null ? "auto" : modeWord;
    return PlanMode.of(word)
        .orElseThrow(
            () -> new UsageException("--mode is " + word + ", must be fat, skinny or auto"));
  }

  private static DiagnosticException refusedVerdict(String message) {
    return DiagnosticException.error(VerdictFile.CODE, message, Location.UNKNOWN);
  }

  private static SplitVerdict readVerdict(Path file) {
    try {
      return VerdictFile.read(file, Files.readAllBytes(file));
    } catch (IOException e) {
      throw DiagnosticException.error(
          InputFile.UNREADABLE, file + ": " + IoMessages.reason(e), Location.UNKNOWN);
    }
  }

  private Split ofOne(Session session, @Nullable SplitVerdict verdict) {
    PlanMode mode = mode(verdict);
    ImmutableList<InputFile> files = InputFiles.collect(words.isEmpty() ? List.of("-") : words);
    if (files.size() != 1) {
      throw new UsageException(
          files.size() + " files are named, must be one; --ranks takes the programs of ranks");
    }
    Module module = Programs.readVerified(session, files.get(0).read(session));
    read = ImmutableList.of(ImmutableList.of(module));
    session.doing("splitting " + files.get(0).name());
    if (verdict != null && mode == PlanMode.AUTO) {
      throw refusedVerdict(
          "a partial verdict needs the programs of all ranks (--ranks): what equal segments take"
              + " and give depends on what the differing ones of every rank use");
    }
    // A verdict of skinny says that other ranks run something else.
    return verdict != null && mode == PlanMode.SKINNY
        ? Splitter.alone(List.of(module))
        : Splitter.ofAll(List.of(module), mode);
  }

  /** Fails where a verdict names regions that no rank's programs have. */
  private static void checkRegions(RankPrograms programs, SplitVerdict verdict) {
    int most = 0;
    for (List<Integer> ranks : programs.ranksByModules()) {
      int sites = 0;
      for (Module module : programs.modules(ranks.get(0))) {
        sites += CollectiveSites.of(module).size();
      }
      most = Math.max(most, sites);
    }
    for (int region : verdict.regions()) {
      if (region > most) {
        throw refusedVerdict(
            "the verdict names region "
                + region
                + ", and the programs have "
                + (most == 0 ? "no collective, so only region 0" : "regions 0 to " + most));
      }
    }
  }

  private int ofRanks(Session session, String set, @Nullable SplitVerdict verdict)
      throws IOException {
    PlanMode mode = mode(verdict);
    ProgramSet readSet = ProgramSet.read(session, set);
    read = readSet.modules();
    RankPrograms programs = Jobs.of(readSet, counts.partitions());
    if (verdict != null) {
      checkRegions(programs, verdict);
    }
    session.doing("matching the programs of " + programs.world() + " ranks");
    MatchReport report = Splitter.match(programs, mode);
    report.warnings().forEach(session::print);
    Failure failure = report.failure();
    if (failure != null) {
      session.print(failure.diagnostic());
      session.say("nothing was split: the ranks must meet first");
      return report.verdict() == Verdict.CANNOT_TELL ? ExitCode.UNKNOWN : ExitCode.FAILED;
    }
    session.doing("splitting the programs of " + programs.world() + " ranks");
    Set<Integer> regions = verdict == null ? ImmutableSet.of() : verdict.regions();
    if (verdict == null && read.stream().flatMap(List::stream).anyMatch(DistributedCalls::sends)) {
      RankPrograms matched = matched(session, programs);
      return write(
          session, Splitter.ofRanks(matched, Splitter.match(matched, mode), mode, regions));
    }
    return write(session, Splitter.ofRanks(programs, report, mode, regions));
  }

  /**
   * Returns the programs with their messages as permutes that all ranks take part in. A send says
   * nothing of where its receive stands, so a segment that holds one cannot run.
   */
  private RankPrograms matched(Session session, RankPrograms programs) {
    read = DistributedCalls.lowerPrograms(read, grid());
    session.say("note: lowered torch.distributed calls, since ranks send to each other");
    List<ImmutableList<RankPrograms.Program>> all = new ArrayList<>();
    for (int rank = 0; rank < programs.world(); rank++) {
      ImmutableList.Builder<RankPrograms.Program> own = ImmutableList.builder();
      for (int i = 0; i < read.get(rank).size(); i++) {
        own.add(
            new RankPrograms.Program(programs.programs(rank).get(i).file(), read.get(rank).get(i)));
      }
      all.add(own.build());
    }
    return RankPrograms.of(all, counts.partitions());
  }

  private int write(Session session, Split split) throws IOException {
    EstimateReport estimated = estimate ? estimate(session, split.plans()) : null;
    split.notes().forEach(session::print);
    RankPlans plans = split.plans();
    Path folder = output();
    if (folder != null) {
      ImmutableMap<String, String> files = PlanWriter.files(plans);
      for (Map.Entry<String, String> file : files.entrySet()) {
        session.writeResult(session.inFolder(folder, file.getKey()), "plan", file.getValue());
      }
      session.say("wrote " + files.size() + " files to " + folder);
    }
    session
        .report()
        .put(
            "plan",
            (JsonReport.Writable) json -> json.writeRawValue(PlanWriter.tree(plans).toString()));
    if (!session.isJson()) {
      session.console().out().print(PlanTable.of(plans));
    }
    if (estimated != null) {
      session.report().put("estimate", estimated.json());
      if (!session.isJson()) {
        session.console().out().print("\n" + estimated.table());
      }
    }
    return ExitCode.OK;
  }

  /** Estimates the programs of rank 0, which stand for those of all ranks. */
  private EstimateReport estimate(Session session, RankPlans plans) {
    DeviceModel model = requireNonNull(deviceModel);
    DeviceGrid grid = grid();
    session.doing("estimating on " + model.name());
    ImmutableList<Module> programs =
        ranks == null
            ? DistributedCalls.lower(read.get(0), grid, false).modules()
            : DistributedCalls.lowerPrograms(read, grid).get(0);
    return EstimateReport.of(
        programs,
        plans.mode() == PlanMode.AUTO ? plans.classes().get(0).plan() : null,
        grid,
        model);
  }

  private DeviceGrid grid() {
    Module first = read.get(0).get(0);
    OptionalInt replicas = first.replicas().isPresent() ? first.replicas() : counts.replicas();
    OptionalInt partitions =
        first.partitions().isPresent() ? first.partitions() : counts.partitions();
    if (ranks != null && replicas.isEmpty()) {
      return CountOptions.grid(
          Math.max(1, read.size() / partitions.orElse(1)), partitions.orElse(1));
    }
    if (replicas.isEmpty() && partitions.isEmpty()) {
      throw new UsageException(
          "the program does not say on how many devices it runs; give --replicas and --partitions");
    }
    return CountOptions.grid(replicas.orElse(1), partitions.orElse(1));
  }
}
