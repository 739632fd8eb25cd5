package dev.lockstep.runtime.pjrt;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Module;

/**
 * One launch of the schedule of plans.
 *
 * @param name the segment, or the segment of its first rank
 * @param module the text, in which the ranks are replicas 0 and on
 * @param ranks the ranks that it runs on, ascending
 * @param inputs numbers of the values that it takes, those of the first rank first
 * @param outputs numbers of the values that it gives, those of the first rank first
 * @param keep which inputs of a rank the program may not take over
 */
record PlannedLaunch(
    String name,
    Module module,
    ImmutableIntArray ranks,
    ImmutableIntArray inputs,
    ImmutableIntArray outputs,
    ImmutableLongArray keep) {

  /** Returns how many inputs each rank has. */
  int inputCount() {
    return inputs.length() / ranks.length();
  }

  /** Returns whether input {@code index} of {@link #inputs} is gone once the launch has begun. */
  boolean isDonated(int index) {
    return !keep.contains(index % inputCount());
  }
}
