package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.shard.Shardings;
import dev.lockstep.lower.LowerSet;
import dev.lockstep.lower.LoweringContext;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.repair.DivergenceRepair;
import dev.lockstep.pass.region.repair.RankRepair;
import dev.lockstep.pass.region.repair.RepairOptions;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.plan.PlanPrograms;
import dev.lockstep.tools.program.DistributedCalls;
import dev.lockstep.tools.program.PlanCalls;
import dev.lockstep.tools.split.CutRegions;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a rank makes of a program, given the verdict on it and, where that tells ranks to differ,
 * the programs of all. A pure function, so that every rank that sees the same comes to plans that
 * fit.
 *
 * <p>Whatever one rank does, its collectives keep their order; so a rank that is left with less
 * knowledge than others, and cuts more, still meets them.
 */
final class PlanChoice {
  private final DeviceGrid grid;
  private final int rank;
  private final boolean rendezvous;

  PlanChoice(DeviceGrid grid, int rank, boolean rendezvous) {
    this.grid = grid;
    this.rank = rank;
    this.rendezvous = rendezvous;
  }

  /** Returns what the rank runs where it knows its own program only. */
  Chosen alone(Module module, Verdict verdict) {
    if (verdict.kind() == VerdictKind.FAT) {
      Module lowered = DistributedCalls.lower(List.of(module), grid, rendezvous).modules().get(0);
      return Chosen.whole(lowered, "it runs whole");
    }
    if (Shardings.of(module).isGlobal()) {
      throw shared(module, verdict.text());
    }
    ExecutionPlan plan = Splitter.alone(List.of(module)).plans().classes().get(0).plan();
    return Chosen.plan(PlanCalls.lower(List.of(plan), grid, rendezvous).plans().get(0));
  }

  private static DiagnosticException shared(Module module, String why) {
    return DiagnosticException.error(
        "shared-arrays",
        "a program over arrays that devices share runs where all ranks hold it, and whole: its"
            + " collectives are not written in it, so that it cannot be cut around them ("
            + why
            + "); let all ranks run it here, or partition it first",
        module.location());
  }

  /**
   * Returns what the rank runs of one of its programs where nothing was agreed on, and some are
   * over arrays that devices share.
   */
  Chosen unaskedShared(JobProgram program, ImmutableList<ImmutableList<JobProgram>> ranks) {
    List<Module> own = ranks.get(rank).stream().map(JobProgram::module).toList();
    for (int other = 0; other < ranks.size(); other++) {
      if (!ranks.get(other).stream().map(JobProgram::module).toList().equals(own)) {
        throw shared(
            program.module(), "ranks " + rank + " and " + other + " hold different programs");
      }
    }
    return program.isOverSharedArrays()
        ? Chosen.whole(program.module(), "it runs whole")
        : unaskedAlone(ImmutableList.of(program));
  }

  /** Returns what the rank runs of all its programs where nothing was agreed on. */
  Chosen unasked(ImmutableList<ImmutableList<JobProgram>> ranks) {
    ImmutableList.Builder<ImmutableList<Module>> read = ImmutableList.builder();
    ranks.forEach(
        of ->
            read.add(of.stream().map(JobProgram::module).collect(ImmutableList.toImmutableList())));
    List<ExecutionPlan> plans = new ArrayList<>();
    for (ImmutableList<Module> modules : lowered(read.build())) {
      plans.add(Splitter.alone(modules).plans().classes().get(0).plan());
    }
    return Chosen.plan(PlanCalls.lower(plans, grid, rendezvous).plans().get(rank));
  }

  /** Returns what the rank runs of all its programs where it knows no others. */
  Chosen unaskedAlone(ImmutableList<JobProgram> programs) {
    List<Module> modules = programs.stream().map(JobProgram::module).toList();
    ExecutionPlan plan = Splitter.alone(modules).plans().classes().get(0).plan();
    return Chosen.plan(PlanCalls.lower(List.of(plan), grid, rendezvous).plans().get(0));
  }

  /** Returns what the rank runs of a program of which it knows what the other ranks have. */
  Chosen together(RankPrograms programs, Verdict verdict) {
    if (verdict.kind() == VerdictKind.REPAIR) {
      Chosen repaired = repaired(programs);
      if (repaired != null) {
        return repaired;
      }
    }
    ImmutableList<ImmutableList<Module>> read = modules(programs);
    ImmutableList<ImmutableList<Module>> lowered = lowered(read);
    return lowered.equals(read)
        ? cut(programs, programs, verdict)
        : cut(with(programs, lowered), programs, verdict);
  }

  /**
   * Returns the programs with their torch.distributed calls matched across ranks and lowered, since
   * a call alone does not always say whom it meets; as they are where that cannot be.
   */
  private ImmutableList<ImmutableList<Module>> lowered(ImmutableList<ImmutableList<Module>> ranks) {
    try {
      LoweringContext plain = LoweringContext.of(grid.replicas(), grid.partitions());
      return LowerSet.lowerPrograms(ranks, rendezvous ? plain.withRendezvous() : plain);
    } catch (DiagnosticException e) {
      return ranks;
    }
  }

  private RankPrograms with(RankPrograms programs, ImmutableList<ImmutableList<Module>> modules) {
    List<ImmutableList<RankPrograms.Program>> ranks = new ArrayList<>();
    for (int each = 0; each < grid.size(); each++) {
      ImmutableList.Builder<RankPrograms.Program> of = ImmutableList.builder();
      for (int i = 0; i < modules.get(each).size(); i++) {
        of.add(
            new RankPrograms.Program(
                programs.programs(each).get(i).file(), modules.get(each).get(i)));
      }
      ranks.add(of.build());
    }
    return RankPrograms.of(ranks, OptionalInt.of(grid.partitions()));
  }

  private ImmutableList<ImmutableList<Module>> modules(RankPrograms programs) {
    ImmutableList.Builder<ImmutableList<Module>> ranks = ImmutableList.builder();
    for (int each = 0; each < grid.size(); each++) {
      ranks.add(programs.modules(each));
    }
    return ranks.build();
  }

  /**
   * Cuts the programs.
   *
   * @param read the programs as the verdict is about them
   */
  private Chosen cut(RankPrograms programs, RankPrograms read, Verdict verdict) {
    boolean skinny = verdict.kind() == VerdictKind.SKINNY;
    PlanMode mode = skinny ? PlanMode.SKINNY : PlanMode.AUTO;
    MatchReport report = Splitter.match(programs, mode);
    Module own = read.modules(rank).get(0);
    if (report.failure() != null) {
      return alone(own, verdict);
    }
    Set<Integer> regions =
        verdict.kind() == VerdictKind.PARTIAL && programs == read
            ? CutRegions.of(own, grid, verdict.cut())
            : ImmutableSet.of();
    List<ExecutionPlan> plans;
    try {
      plans =
          PlanPrograms.byRank(
              Splitter.ofRanks(programs, report, mode, regions).plans(), grid.size());
    } catch (DiagnosticException e) {
      return alone(own, verdict);
    }
    PlanCalls.Lowered lowered = PlanCalls.lower(plans, grid, rendezvous);
    return Chosen.plan(lowered.plans().get(lowered.plans().size() == 1 ? 0 : rank));
  }

  /** Returns the one program that all are once literals are tables, or null where they are not. */
  private @Nullable Chosen repaired(RankPrograms programs) {
    RankRepair repair = repair(modules(programs));
    for (DivergenceRepair.Result result : repair.programs()) {
      if (!result.inputs().isEmpty() || !result.padded().isEmpty()) {
        return null;
      }
    }
    if (!repair.problems().isEmpty()) {
      return null;
    }
    Module module = repair.ranks().get(rank).get(0);
    Module lowered = DistributedCalls.lower(List.of(module), grid, rendezvous).modules().get(0);
    return Chosen.whole(lowered, "it runs whole, with literals that differ in tables");
  }

  private RankRepair repair(ImmutableList<ImmutableList<Module>> ranks) {
    RepairOptions options =
        new RepairOptions(RepairOptions.Literals.TABLE, RepairOptions.DEFAULT_TABLE_LIMIT);
    RankRepair plain = RankRepair.of(ranks, grid, options);
    if (plain.problems().isEmpty()) {
      return plain;
    }
    try {
      LoweringContext context = LoweringContext.of(grid.replicas(), grid.partitions());
      return RankRepair.of(LowerSet.lowerPrograms(ranks, context), grid, options);
    } catch (DiagnosticException e) {
      return plain;
    }
  }
}
