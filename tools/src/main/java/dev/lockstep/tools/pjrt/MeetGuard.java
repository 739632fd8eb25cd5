package dev.lockstep.tools.pjrt;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.Failure;
import dev.lockstep.pass.region.match.MatchOptions;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.match.RankMatcher;
import dev.lockstep.pass.region.match.Verdict;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.run.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * Keeps programs from plugins whose devices do not meet: XLA's CPU plugin ends the whole process
 * when one waits for another that never comes.
 */
public final class MeetGuard {
  private MeetGuard() {}

  /**
   * Returns whether it is proven that the devices meet; false when that depends on values.
   *
   * @throws DiagnosticException if they do not, with who waits for whom
   */
  public static boolean isProven(Session session, Workload work) {
    if (work.grid().size() == 1) {
      return true;
    }
    session.doing("proving that the devices meet");
    boolean oneText = isOneText(work);
    RankPrograms programs = programs(work, oneText);
    // Launches come one after the other, so that what one starts ends before the next.
    MatchOptions options = new MatchOptions(false, !oneText);
    MatchReport report =
        oneText
            ? RankMatcher.matchOneText(programs, options)
            : RankMatcher.match(programs, options);
    Failure failure = report.failure();
    if (failure != null && report.verdict() == Verdict.DO_NOT_MEET) {
      throw new DiagnosticException(failure.diagnostic());
    }
    return report.verdict() == Verdict.MEET;
  }

  /** Returns whether all devices run one program. */
  static boolean isOneText(Workload work) {
    return !work.modules().isEmpty()
        && work.modules().stream().allMatch(other -> other == work.modules().get(0));
  }

  /** Returns the programs of each rank; segments of plans count as programs. */
  static RankPrograms programs(Workload work, boolean oneText) {
    if (oneText) {
      return RankPrograms.ofOne(work.modules().get(0), work.grid());
    }
    List<ImmutableList<RankPrograms.Program>> ranks = new ArrayList<>();
    for (int rank = 0; rank < work.grid().size(); rank++) {
      ImmutableList.Builder<RankPrograms.Program> programs = ImmutableList.builder();
      for (Module module : modules(work, rank)) {
        programs.add(new RankPrograms.Program(module.location().source().name(), module));
      }
      ranks.add(programs.build());
    }
    return RankPrograms.of(ranks, OptionalInt.of(work.grid().partitions()));
  }

  private static List<Module> modules(Workload work, int rank) {
    if (!work.modules().isEmpty()) {
      return List.of(work.modules().get(rank));
    }
    ExecutionPlan plan = work.plans().get(work.plans().size() == 1 ? 0 : rank);
    List<Module> out = new ArrayList<>();
    for (PlanStep step : plan.steps()) {
      out.add(step.segment().module());
    }
    return out;
  }
}
