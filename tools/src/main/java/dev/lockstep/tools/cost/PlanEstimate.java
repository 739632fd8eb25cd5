package dev.lockstep.tools.cost;

import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.PlanValue;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.cost.DeviceModel;
import dev.lockstep.pass.cost.Estimate;
import dev.lockstep.pass.cost.Estimates;
import dev.lockstep.tools.program.DistributedCalls;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What one rank's plan takes: its segments one after the other, each by itself as a whole. */
final class PlanEstimate {
  private final Map<Module, Estimate> known = new IdentityHashMap<>();
  private final DeviceGrid grid;
  private final DeviceModel device;

  private PlanEstimate(DeviceGrid grid, DeviceModel device) {
    this.grid = grid;
    this.device = device;
  }

  /**
   * Returns the estimate of {@code plan}.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException when calls in a segment cannot be lowered
   *     without the other ranks' programs
   */
  static Estimate of(ExecutionPlan plan, DeviceGrid grid, DeviceModel device) {
    return new PlanEstimate(grid, device).run(plan);
  }

  private Estimate run(ExecutionPlan plan) {
    Map<String, Long> bytes = new HashMap<>();
    Map<String, Integer> lastUse = new HashMap<>();
    Set<String> stays = new HashSet<>(plan.results());
    for (PlanValue argument : plan.arguments()) {
      bytes.put(argument.name(), bytes(argument.type()));
      stays.add(argument.name());
    }
    for (PlanValue value : plan.values()) {
      bytes.put(value.name(), bytes(value.type()));
    }
    for (int i = 0; i < plan.steps().size(); i++) {
      for (String input : plan.steps().get(i).inputs()) {
        lastUse.put(input, i);
      }
      for (int donated : plan.steps().get(i).segment().donated()) {
        stays.remove(plan.steps().get(i).inputs().get(donated));
      }
    }
    Set<String> live = new HashSet<>();
    plan.arguments().forEach(argument -> live.add(argument.name()));
    Estimate total = new Estimate(0, 0, 0, 0, sum(live, bytes), 0);
    for (int i = 0; i < plan.steps().size(); i++) {
      PlanStep step = plan.steps().get(i);
      Set<String> others = new HashSet<>(live);
      others.removeAll(step.inputs());
      Estimate own = segment(step.segment().module());
      total =
          total.then(
              new Estimate(
                  own.seconds(),
                  own.computeSeconds(),
                  own.communicationSeconds(),
                  own.launchSeconds(),
                  sum(others, bytes) + own.peakBytes(),
                  1));
      live.addAll(step.outputs());
      int now = i;
      live.removeIf(name -> !stays.contains(name) && lastUse.getOrDefault(name, now) <= now);
    }
    return total;
  }

  private Estimate segment(Module module) {
    return known.computeIfAbsent(
        module,
        key -> {
          Module lowered = DistributedCalls.lower(List.of(key), grid, false).modules().get(0);
          return Estimates.of(lowered, grid, device).fat();
        });
  }

  private static long sum(Set<String> names, Map<String, Long> bytes) {
    return names.stream().mapToLong(name -> bytes.getOrDefault(name, 0L)).sum();
  }

  private static long bytes(TensorType type) {
    return type.isStatic() ? (type.count() * type.element().bits() + 7) / 8 : 0;
  }
}
