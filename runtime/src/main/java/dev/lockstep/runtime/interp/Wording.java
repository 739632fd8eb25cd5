package dev.lockstep.runtime.interp;

import com.google.common.base.Joiner;
import com.google.common.primitives.ImmutableIntArray;
import java.util.Arrays;
import java.util.List;

/** Words for devices in diagnostics. */
final class Wording {
  private Wording() {}

  /** Returns {@code device 3} or {@code devices 1, 3}. */
  static String devices(List<Integer> devices) {
    return (devices.size() == 1 ? "device " : "devices ") + Joiner.on(", ").join(devices);
  }

  /** Returns {@code [0, 1]} in ascending order. */
  static String sorted(ImmutableIntArray members) {
    int[] sorted = members.toArray();
    Arrays.sort(sorted);
    return Arrays.toString(sorted);
  }
}
