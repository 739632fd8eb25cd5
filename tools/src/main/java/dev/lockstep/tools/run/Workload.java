package dev.lockstep.tools.run;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.runtime.interp.EntryLayout;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.Program;
import dev.lockstep.runtime.plan.PlanPrograms;
import dev.lockstep.runtime.values.RandomValues;
import dev.lockstep.runtime.values.ValueFile;
import dev.lockstep.tools.program.DistributedCalls;
import dev.lockstep.tools.program.PlanCalls;
import java.util.List;

/**
 * What a run executes, torch.distributed calls lowered: one program, one a rank, or plans.
 *
 * @param program for the interpreter
 * @param grid the devices
 * @param plans one plan, or one for each device; empty when there are none
 * @param calls how many calls were lowered
 * @param lowered the texts that held calls, as they are run
 * @param modules the one program, or one for each device, without calls; empty for plans
 */
public record Workload(
    Program program,
    DeviceGrid grid,
    ImmutableList<ExecutionPlan> plans,
    int calls,
    ImmutableList<Module> lowered,
    ImmutableList<Module> modules) {

  /** Returns the run of {@code modules}: one for all devices, or one for each. */
  public static Workload ofModules(
      List<Module> modules, boolean isOneText, DeviceGrid grid, boolean rendezvous) {
    DistributedCalls.Lowered lowered = DistributedCalls.lower(modules, grid, rendezvous);
    Program program =
        isOneText ? Program.of(lowered.modules().get(0)) : Program.ofRanks(lowered.modules());
    return new Workload(
        program,
        grid,
        ImmutableList.of(),
        lowered.calls(),
        lowered.calls() == 0 && lowered.modules().equals(modules)
            ? ImmutableList.of()
            : lowered.modules().stream().distinct().collect(ImmutableList.toImmutableList()),
        ImmutableList.copyOf(lowered.modules()));
  }

  /**
   * Returns the run of {@code plans}: one for all devices, or one for each.
   *
   * @param word what a step is called in diagnostics before its segment's name
   */
  public static Workload ofPlans(
      List<ExecutionPlan> plans, String word, DeviceGrid grid, boolean rendezvous) {
    if (plans.size() == 1 && isOneProgram(plans.get(0))) {
      Module module = plans.get(0).steps().get(0).segment().module();
      return ofModules(List.of(module), true, grid, rendezvous);
    }
    PlanCalls.Lowered lowered = PlanCalls.lower(plans, grid, rendezvous);
    return new Workload(
        PlanPrograms.program(lowered.plans(), word, grid.size()),
        grid,
        lowered.plans(),
        lowered.calls(),
        lowered.modules(),
        ImmutableList.of());
  }

  private static boolean isOneProgram(ExecutionPlan plan) {
    if (plan.steps().size() != 1) {
      return false;
    }
    PlanStep step = plan.steps().get(0);
    return step.inputs().equals(plan.arguments().stream().map(PlanValue::name).toList())
        && step.outputs().equals(plan.results());
  }

  /** Returns how many tensors device 0 takes. */
  public int argumentCount() {
    return plans.isEmpty()
        ? Flattening.arguments(program.entry(0)).size()
        : plans.get(0).arguments().size();
  }

  /** Returns how arguments and results lie on the devices. */
  public EntryLayout layout() {
    return EntryLayout.of(program, grid);
  }

  /** Returns the arguments of every device that {@code file} holds. */
  public ImmutableList<ImmutableList<Datum>> arguments(ValueFile file) {
    return plans.isEmpty()
        ? Flattening.read(program, grid, file)
        : PlanPrograms.arguments(plans, grid.size(), file::argument);
  }

  /** Returns random arguments for every device, the same for the same seed. */
  public ImmutableList<ImmutableList<Datum>> arguments(long seed) {
    return plans.isEmpty()
        ? Flattening.random(program, grid, seed)
        : PlanPrograms.arguments(
            plans,
            grid.size(),
            (index, device, type) -> RandomValues.of(type, seed, index, device));
  }
}
