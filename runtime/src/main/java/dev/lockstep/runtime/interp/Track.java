package dev.lockstep.runtime.interp;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;

/**
 * The programs that one device runs one after the other, and the tensors that flow between them.
 * Devices that run the same share the object.
 *
 * @param arguments how many tensors come from outside; they are the device's values 0 and on
 * @param stages what it runs, in order
 * @param results numbers of the values that are given back
 */
public record Track(int arguments, ImmutableList<Stage> stages, ImmutableIntArray results) {
  /** Checks that every value is there before it is used. */
  public Track {
    int known = arguments;
    for (Stage stage : stages) {
      int before = known;
      checkArgument(
          stage.inputs().stream().allMatch(value -> 0 <= value && value < before),
          "%s takes values %s, of which there are %s",
          stage.name(),
          stage.inputs(),
          before);
      for (int i = 0; i < stage.outputs().length(); i++) {
        checkArgument(stage.outputs().get(i) == known, "%s skips a value", stage.name());
        known++;
      }
    }
    int all = known;
    checkArgument(
        results.stream().allMatch(value -> 0 <= value && value < all),
        "results are values %s, of which there are %s",
        results,
        all);
  }
}
