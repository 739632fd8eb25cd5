package dev.lockstep.pass.region.match;

import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import java.util.IdentityHashMap;
import java.util.Map;

/** What all parts of one matching share: the devices, the modules' steps, and numbers. */
final class StepsOfJob {
  /** Bodies entered one by one after which a job is given up. */
  private static final long MAX_BODIES = 4_000_000;

  private final DeviceGrid grid;
  private final MatchOptions options;
  private final boolean oneText;
  private final Map<Module, Steps> modules = new IdentityHashMap<>();
  private long numbers;
  private long bodies;

  StepsOfJob(DeviceGrid grid, MatchOptions options, boolean oneText) {
    this.grid = grid;
    this.options = options;
    this.oneText = oneText;
  }

  DeviceGrid grid() {
    return grid;
  }

  MatchOptions options() {
    return options;
  }

  boolean isOneText() {
    return oneText;
  }

  Steps of(Module module) {
    int next = modules.size();
    return modules.computeIfAbsent(module, m -> new Steps(m, next));
  }

  /** Returns a number that was not given before. */
  long number() {
    return numbers++;
  }

  /** Counts a body that is entered. */
  void enter() {
    bodies++;
  }

  boolean isTooLong() {
    return bodies > MAX_BODIES;
  }
}
