package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableMap;
import com.google.common.hash.HashCode;
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
  private final Map<Module, Steps> modules;
  private final ImmutableMap<HashCode, Integer> assumed;
  private long numbers;
  private long bodies;

  StepsOfJob(DeviceGrid grid, MatchOptions options, boolean oneText) {
    this(grid, options, oneText, new IdentityHashMap<>(), ImmutableMap.of());
  }

  private StepsOfJob(
      DeviceGrid grid,
      MatchOptions options,
      boolean oneText,
      Map<Module, Steps> modules,
      ImmutableMap<HashCode, Integer> assumed) {
    this.grid = grid;
    this.options = options;
    this.oneText = oneText;
    this.modules = modules;
    this.assumed = assumed;
  }

  /**
   * Returns the same job from its start, in which whatever {@code selector} chooses is body {@code
   * body}. Up to that choice all goes as in this one, so that the selector comes about as here.
   */
  StepsOfJob assuming(Sym selector, int body) {
    return new StepsOfJob(
        grid,
        options,
        oneText,
        modules,
        ImmutableMap.<HashCode, Integer>builder()
            .putAll(assumed)
            .put(selector.token(), body)
            .buildOrThrow());
  }

  /** Returns which body {@code selector} is assumed to choose of {@code count}, or -1. */
  int assumed(Sym selector, int count) {
    int body = assumed.getOrDefault(selector.token(), -1);
    return body < count ? body : -1;
  }

  /** Returns the same job from its start, with other options and nothing assumed. */
  StepsOfJob with(MatchOptions other) {
    return new StepsOfJob(grid, other, oneText, modules, ImmutableMap.of());
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
