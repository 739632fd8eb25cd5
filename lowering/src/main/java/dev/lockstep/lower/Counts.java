package dev.lockstep.lower;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import java.util.BitSet;
import java.util.List;
import java.util.OptionalInt;

/** How many devices run a program. */
final class Counts {
  private Counts() {}

  /**
   * Returns the devices: what the module says, else what the user said, else as many replicas as
   * the groups name without a gap. When only one count is given the other is one, as XLA leaves a
   * count of one out of its headers.
   *
   * @param calls the calls of the module, at least one
   */
  static DeviceGrid resolve(Module module, LoweringContext context, List<CallConfig> calls) {
    OptionalInt replicas = one("replicas", module.replicas(), context.replicas(), calls);
    OptionalInt partitions = one("partitions", module.partitions(), context.partitions(), calls);
    if (replicas.isPresent() || partitions.isPresent()) {
      return new DeviceGrid(replicas.orElse(1), partitions.orElse(1));
    }
    int world = worldOfGroups(calls);
    if (world > 0) {
      return new DeviceGrid(world, 1);
    }
    throw calls
        .get(0)
        .error(
            "c10d-counts",
            "the number of ranks is not known: the module does not say, and no groups name all"
                + " ranks; give --replicas and --partitions");
  }

  private static OptionalInt one(
      String what, OptionalInt stated, OptionalInt given, List<CallConfig> calls) {
    if (stated.isPresent() && given.isPresent() && stated.getAsInt() != given.getAsInt()) {
      throw DiagnosticException.error(
          "c10d-counts",
          "the module has "
              + stated.getAsInt()
              + " "
              + what
              + ", but "
              + given.getAsInt()
              + " were given",
          calls.get(0).location());
    }
    return stated.isPresent() ? stated : given;
  }

  /** Returns the number of ranks when some call's groups are exactly 0 to n-1, else 0. */
  private static int worldOfGroups(List<CallConfig> calls) {
    int world = 0;
    int largest = 0;
    for (CallConfig call : calls) {
      if (!call.has("groups")) {
        continue;
      }
      BitSet named = new BitSet();
      for (ImmutableLongArray row : call.rows("groups")) {
        ImmutableIntArray group = CallGroups.members(row, call);
        for (int i = 0; i < group.length(); i++) {
          if (group.get(i) < 1 << 20) {
            named.set(group.get(i));
          }
        }
      }
      largest = Math.max(largest, named.length());
      if (named.cardinality() == named.length()) {
        world = Math.max(world, named.length());
      }
    }
    return world == largest ? world : 0;
  }
}
