package dev.lockstep.tools.program;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Lowers torch.distributed calls in the segments of plans before they are run. */
public final class PlanCalls {
  /**
   * Plans without such calls.
   *
   * @param plans one plan, or one for each rank
   * @param modules the segments that held calls, as they are now
   * @param calls how many calls there were in all segments that differ
   */
  public record Lowered(
      ImmutableList<ExecutionPlan> plans, ImmutableList<Module> modules, int calls) {}

  private final DeviceGrid grid;
  private final boolean rendezvous;
  private final Map<List<Object>, Module> lowered = new HashMap<>();
  private final ImmutableList.Builder<Module> changed = ImmutableList.builder();
  private final Set<Module> counted = new HashSet<>();
  private int calls;

  private PlanCalls(DeviceGrid grid, boolean rendezvous) {
    this.grid = grid;
    this.rendezvous = rendezvous;
  }

  /**
   * Returns the plans with every call lowered. Where ranks have as many segments with calls, the
   * calls of the first of these are matched across ranks, then those of the second, and so on;
   * otherwise each is lowered by what it says itself.
   *
   * @param plans one plan, or one for each rank
   * @throws dev.lockstep.hlo.diag.DiagnosticException when a call is wrong
   */
  public static Lowered lower(List<ExecutionPlan> plans, DeviceGrid grid, boolean rendezvous) {
    PlanCalls work = new PlanCalls(grid, rendezvous);
    List<List<Module>> calling = new ArrayList<>();
    for (ExecutionPlan plan : plans) {
      calling.add(
          plan.steps().stream()
              .map(step -> step.segment().module())
              .filter(module -> DistributedCalls.count(module) > 0)
              .toList());
    }
    if (calling.stream().allMatch(List::isEmpty)) {
      return new Lowered(ImmutableList.copyOf(plans), ImmutableList.of(), 0);
    }
    work.lowerAll(calling);
    ImmutableList.Builder<ExecutionPlan> out = ImmutableList.builder();
    Map<List<Object>, ExecutionPlan> made = new HashMap<>();
    for (int rank = 0; rank < plans.size(); rank++) {
      ExecutionPlan plan = work.replaced(rank, plans.get(rank));
      out.add(made.computeIfAbsent(ImmutableList.of(plan), key -> plan));
    }
    return new Lowered(out.build(), work.changed.build(), work.calls);
  }

  private void lowerAll(List<List<Module>> calling) {
    int most = calling.stream().mapToInt(List::size).max().orElse(0);
    boolean matched = calling.stream().allMatch(modules -> modules.size() == most);
    for (int k = 0; k < most; k++) {
      List<Module> column = new ArrayList<>();
      for (List<Module> of : calling) {
        if (k < of.size()) {
          column.add(of.get(k));
          if (counted.add(of.get(k))) {
            calls += DistributedCalls.count(of.get(k));
          }
        }
      }
      if (matched) {
        ImmutableList<Module> now =
            DistributedCalls.lower(shared(column), grid, rendezvous).modules();
        for (int rank = 0; rank < calling.size(); rank++) {
          Module module = now.get(now.size() == 1 ? 0 : rank);
          put(ImmutableList.of(rank, k), module);
        }
        continue;
      }
      for (int rank = 0; rank < calling.size(); rank++) {
        if (k < calling.get(rank).size()) {
          Module module = calling.get(rank).get(k);
          Module one =
              lowered.computeIfAbsent(
                  ImmutableList.of(module),
                  key ->
                      DistributedCalls.lower(List.of(module), grid, rendezvous).modules().get(0));
          put(ImmutableList.of(rank, k), one);
        }
      }
    }
  }

  /** A text that all ranks have is lowered as one. */
  private static List<Module> shared(List<Module> column) {
    Module first = column.get(0);
    return column.stream().allMatch(module -> module == first) ? List.of(first) : column;
  }

  private void put(List<Object> key, Module module) {
    if (!lowered.containsValue(module)) {
      changed.add(module);
    }
    lowered.put(key, module);
  }

  private ExecutionPlan replaced(int rank, ExecutionPlan plan) {
    ImmutableList.Builder<PlanStep> steps = ImmutableList.builder();
    int k = 0;
    for (PlanStep step : plan.steps()) {
      if (DistributedCalls.count(step.segment().module()) == 0) {
        steps.add(step);
        continue;
      }
      Module module = requireNonNull(lowered.get(ImmutableList.<Object>of(rank, k++)));
      steps.add(new PlanStep(step.segment().withModule(module), step.inputs(), step.outputs()));
    }
    return new ExecutionPlan(plan.arguments(), steps.build(), plan.results());
  }
}
