package dev.lockstep.tools.pjrt;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.Failure;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.split.Split;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.plan.PlanPrograms;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.run.Workload;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The plans that a plugin runs for a workload of more than one program. */
final class SetPlans {
  private SetPlans() {}

  /**
   * Returns the plans of {@code work}. Programs of ranks that differ are split around what differs:
   * a launch is one text on all its devices.
   *
   * @throws DiagnosticException if the programs cannot be split
   */
  static ImmutableList<ExecutionPlan> of(Session session, Workload work) {
    List<ExecutionPlan> plans = work.plans();
    boolean isOne = !plans.isEmpty() && plans.stream().allMatch(plan -> plan == plans.get(0));
    if (isOne) {
      return ImmutableList.of(plans.get(0));
    }
    if (plans.stream().anyMatch(SetPlans::hasFlow)) {
      return work.plans();
    }
    RankPrograms programs = MeetGuard.programs(work, false);
    MatchReport report = Splitter.match(programs, PlanMode.AUTO);
    Failure failure = report.failure();
    if (failure != null) {
      throw new DiagnosticException(failure.diagnostic());
    }
    Split split = Splitter.ofRanks(programs, report, PlanMode.AUTO, ImmutableSet.of());
    session.say(
        "note: the programs of the ranks differ, and are split around what differs into "
            + split.plans().segments().size()
            + " segments");
    return PlanPrograms.byRank(split.plans(), programs.world());
  }

  /** Returns whether values go from one step to another: the plan was made by splitting. */
  private static boolean hasFlow(ExecutionPlan plan) {
    Set<String> arguments = new HashSet<>();
    for (PlanValue argument : plan.arguments()) {
      arguments.add(argument.name());
    }
    for (PlanStep step : plan.steps()) {
      if (!arguments.containsAll(step.inputs())) {
        return true;
      }
    }
    return false;
  }
}
