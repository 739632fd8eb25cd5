package dev.lockstep.golden.run;

import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Directive;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code GRID: replicas=2 partitions=1}, with {@code untold} at its end when the program runs on
 * these devices but passes are not told so.
 *
 * @param grid the devices, or null when the directive is absent
 * @param told whether passes know the counts
 */
record GridDirective(@Nullable DeviceGrid grid, boolean told) {
  private static final Pattern FORM =
      Pattern.compile("replicas=([0-9]+) partitions=([0-9]+)( untold)?");

  /** Returns the directive of a case. */
  static GridDirective of(GoldenCase golden) {
    String text = golden.directive(Directive.GRID);
    if (text == null) {
      return new GridDirective(null, false);
    }
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw new AssertionError(
          "GRID is '" + text + "', expected 'replicas=2 partitions=1' or with ' untold' behind");
    }
    return new GridDirective(
        new DeviceGrid(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))),
        matcher.group(3) == null);
  }

  /** Returns the number of replicas that passes are told. */
  OptionalInt replicas() {
    return grid != null && told ? OptionalInt.of(grid.replicas()) : OptionalInt.empty();
  }

  /** Returns the number of partitions that passes are told. */
  OptionalInt partitions() {
    return grid != null && told ? OptionalInt.of(grid.partitions()) : OptionalInt.empty();
  }

  /** Returns what {@code module} runs on: this grid, else what it states, two replicas unstated. */
  DeviceGrid gridFor(Module module) {
    if (grid != null) {
      return grid;
    }
    boolean silent = module.replicas().isEmpty() && module.partitions().isEmpty();
    return new DeviceGrid(module.replicas().orElse(silent ? 2 : 1), module.partitions().orElse(1));
  }
}
