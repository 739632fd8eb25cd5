package dev.lockstep.tools.verb;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.plan.PlanPrograms;
import dev.lockstep.runtime.plan.PlanReader;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import dev.lockstep.tools.input.InputFile;
import dev.lockstep.tools.input.InputFiles;
import dev.lockstep.tools.program.ProgramSet;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Reads what {@code run} is told to execute. */
final class WorkloadReader {
  private final Session session;
  private final CountOptions counts;
  private final boolean rendezvous;

  WorkloadReader(Session session, CountOptions counts, boolean rendezvous) {
    this.session = session;
    this.counts = counts;
    this.rendezvous = rendezvous;
  }

  /** Reads the one program of all devices, or a plan. */
  Workload ofWords(List<String> words) {
    Path plan = words.size() == 1 ? plan(words.get(0)) : null;
    if (plan != null) {
      return ofPlan(plan);
    }
    ImmutableList<InputFile> files = InputFiles.collect(words.isEmpty() ? List.of("-") : words);
    if (files.size() != 1) {
      throw new UsageException(
          files.size() + " files are named, must be one; --ranks takes the programs of ranks");
    }
    if (counts.replicas().isPresent()) {
      session.fx().expectRanks(counts.replicas().getAsInt() * counts.partitions().orElse(1));
    }
    Module module = Programs.readVerified(session, files.get(0).read(session));
    DeviceGrid grid =
        CountOptions.grid(
            module.replicas().orElse(counts.replicas().orElse(1)),
            module
                .partitions()
                .orElseGet(
                    () ->
                        counts
                            .partitions()
                            .orElseGet(() -> Program.of(module).shardedPartitions().orElse(1))));
    boolean stated = module.replicas().isPresent() || module.partitions().isPresent();
    if (!stated && counts.replicas().isEmpty() && counts.partitions().isEmpty()) {
      session.assumeOneDevice(files.get(0).name());
    }
    session.doing("lowering torch.distributed calls");
    return Workload.ofModules(List.of(module), true, grid, rendezvous);
  }

  private static @Nullable Path plan(String word) {
    try {
      Path path = Path.of(word);
      return PlanReader.isPlan(path) ? path : null;
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private Workload ofPlan(Path path) {
    Path file = PlanReader.file(path);
    session.doing("reading " + file);
    byte[] json;
    try {
      json = Files.readAllBytes(file);
    } catch (IOException e) {
      throw DiagnosticException.error(
          InputFile.UNREADABLE, file + ": " + IoMessages.reason(e), Location.UNKNOWN);
    }
    session.remember(file.toString(), json);
    RankPlans plans =
        PlanReader.read(
            path, json, text -> Programs.readVerified(session, InputFile.of(text).read(session)));
    DeviceGrid grid = grid(plans);
    session.doing("lowering torch.distributed calls");
    return Workload.ofPlans(PlanPrograms.byRank(plans, grid.size()), "segment", grid, rendezvous);
  }

  private DeviceGrid grid(RankPlans plans) {
    int partitions = or(plans.partitions(), counts.partitions(), 1);
    OptionalInt ranks = plans.ranks();
    if (ranks.isPresent()) {
      return new DeviceGrid(ranksToReplicas(ranks.getAsInt(), partitions), partitions);
    }
    return CountOptions.grid(or(plans.replicas(), counts.replicas(), 1), partitions);
  }

  private static int or(OptionalInt first, OptionalInt second, int third) {
    return first.orElse(second.orElse(third));
  }

  /**
   * Reads a set. Of several programs a rank, each takes its own arguments, numbered on from those
   * of the one before, and gives its own results likewise; no value flows between them, since
   * nothing says which.
   */
  Workload ofRanks(String set) {
    ProgramSet programs = ProgramSet.read(session, set);
    programs.checkWorld();
    List<Module> firsts = programs.ranks().stream().map(rank -> rank.get(0).module()).toList();
    int partitions = firsts.get(0).partitions().orElse(counts.partitions().orElse(1));
    DeviceGrid grid = new DeviceGrid(ranksToReplicas(programs.size(), partitions), partitions);
    counts.checkReplicas(grid.replicas());
    session.doing("lowering torch.distributed calls");
    if (programs.longest() == 1) {
      return Workload.ofModules(firsts, false, grid, rendezvous);
    }
    Map<List<Module>, ExecutionPlan> made = new HashMap<>();
    List<ExecutionPlan> plans = new ArrayList<>();
    for (List<ProgramSet.Entry> rank : programs.ranks()) {
      List<Module> modules = rank.stream().map(ProgramSet.Entry::module).toList();
      plans.add(made.computeIfAbsent(modules, Splitter::whole));
    }
    return Workload.ofPlans(plans, "program", grid, rendezvous);
  }

  private static int ranksToReplicas(int ranks, int partitions) {
    if (ranks % partitions != 0) {
      throw new UsageException(
          ranks + " ranks cannot be divided into " + partitions + " partitions");
    }
    return ranks / partitions;
  }
}
