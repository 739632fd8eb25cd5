package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import java.util.Arrays;

/**
 * The groups of one call: who is in which, at which place. Ranks are {@code replica * partitions +
 * partition}. Groups may differ in size, and a rank may be in none.
 */
final class CallGroups {
  private final DeviceGrid grid;
  private final ImmutableList<ImmutableIntArray> groups;
  private final int[] groupOf;
  private final int[] indexOf;

  private CallGroups(DeviceGrid grid, ImmutableList<ImmutableIntArray> groups) {
    this.grid = grid;
    this.groups = groups;
    this.groupOf = new int[grid.size()];
    this.indexOf = new int[grid.size()];
    Arrays.fill(groupOf, -1);
    Arrays.fill(indexOf, -1);
    for (int g = 0; g < groups.size(); g++) {
      for (int i = 0; i < groups.get(g).length(); i++) {
        groupOf[groups.get(g).get(i)] = g;
        indexOf[groups.get(g).get(i)] = i;
      }
    }
  }

  /** Returns the groups that {@code config} names, or one of all ranks when it names none. */
  static CallGroups of(CallConfig config, DeviceGrid grid) {
    if (!config.has("groups")) {
      ImmutableIntArray.Builder all = ImmutableIntArray.builder(grid.size());
      for (int r = 0; r < grid.size(); r++) {
        all.add(r);
      }
      return new CallGroups(grid, ImmutableList.of(all.build()));
    }
    ImmutableList.Builder<ImmutableIntArray> out = ImmutableList.builder();
    boolean[] seen = new boolean[grid.size()];
    for (ImmutableLongArray row : config.rows("groups")) {
      ImmutableIntArray group = members(row, config);
      for (int i = 0; i < group.length(); i++) {
        int rank = group.get(i);
        if (rank >= grid.size()) {
          throw config.error(
              "c10d-groups", "rank " + rank + " is in a group, but there are " + grid.size());
        }
        if (seen[rank]) {
          throw config.error("c10d-groups", "rank " + rank + " is in a group twice");
        }
        seen[rank] = true;
      }
      if (!group.isEmpty()) {
        out.add(group);
      }
    }
    ImmutableList<ImmutableIntArray> groups = out.build();
    if (groups.isEmpty()) {
      throw config.error("c10d-groups", "groups has no member; leave it out to mean all ranks");
    }
    return new CallGroups(grid, groups);
  }

  /** Returns one row of a config without its padding. */
  static ImmutableIntArray members(ImmutableLongArray row, CallConfig config) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    boolean padding = false;
    for (int i = 0; i < row.length(); i++) {
      long rank = row.get(i);
      if (rank == -1) {
        padding = true;
      } else if (padding || rank < 0 || rank > Integer.MAX_VALUE) {
        throw config.error("c10d-groups", "a group is ranks, then -1 as padding; got " + row);
      } else {
        out.add((int) rank);
      }
    }
    return out.build();
  }

  /** Returns all devices. */
  DeviceGrid grid() {
    return grid;
  }

  /** Returns the groups in the order written. */
  ImmutableList<ImmutableIntArray> groups() {
    return groups;
  }

  /** Returns the group of {@code rank}, or -1. */
  int groupOf(int rank) {
    return groupOf[rank];
  }

  /** Returns the place of {@code rank} in its group, or -1. */
  int indexOf(int rank) {
    return indexOf[rank];
  }

  /** Returns the size of the group of {@code rank}, or 1 when it is in none. */
  int sizeAt(int rank) {
    return groupOf[rank] < 0 ? 1 : groups.get(groupOf[rank]).length();
  }

  /** Returns the size of every group when the call needs one size. */
  int uniformSize(CallConfig config) {
    int size = groups.get(0).length();
    for (ImmutableIntArray group : groups) {
      if (group.length() != size) {
        throw config.error(
            "c10d-groups",
            "groups of "
                + size
                + " and "
                + group.length()
                + " ranks, but the shapes of this call depend on the size of the group");
      }
    }
    return size;
  }

  /** Returns the size of the largest group. */
  int maxSize() {
    return groups.stream().mapToInt(ImmutableIntArray::length).max().orElse(0);
  }

  /** Returns whether every rank is in a group. */
  boolean isEverybody() {
    for (int group : groupOf) {
      if (group < 0) {
        return false;
      }
    }
    return true;
  }

  /** Returns for each rank whether it is in a group. */
  boolean[] members() {
    boolean[] out = new boolean[groupOf.length];
    for (int r = 0; r < out.length; r++) {
      out[r] = groupOf[r] >= 0;
    }
    return out;
  }

  /**
   * Returns for each rank whether it stands at its group's place in {@code places}.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if a place is outside its group
   */
  boolean[] atPlace(ImmutableLongArray places, String name, CallConfig config) {
    boolean[] out = new boolean[groupOf.length];
    for (int g = 0; g < groups.size(); g++) {
      ImmutableIntArray group = groups.get(g);
      long place = places.get(g);
      if (place < 0 || place >= group.length()) {
        throw config.error(
            "c10d-peer",
            name + " is " + place + ", outside its group of " + group.length() + " ranks");
      }
      out[group.get((int) place)] = true;
    }
    return out;
  }

  /**
   * Returns the groups with groups of their own for ranks in none, as XLA wants every rank named.
   *
   * @param uniform whether all groups must have one size
   */
  ImmutableList<ImmutableIntArray> completed(boolean uniform, CallConfig config) {
    int size = uniform ? uniformSize(config) : 1;
    ImmutableList.Builder<ImmutableIntArray> out = ImmutableList.builder();
    out.addAll(groups);
    ImmutableIntArray.Builder next = ImmutableIntArray.builder(size);
    int filled = 0;
    int first = -1;
    for (int r = 0; r < groupOf.length; r++) {
      if (groupOf[r] >= 0) {
        continue;
      }
      first = filled == 0 ? r : first;
      next.add(r);
      if (++filled == size) {
        out.add(next.build());
        next = ImmutableIntArray.builder(size);
        filled = 0;
      }
    }
    if (filled != 0) {
      throw config.error(
          "c10d-groups",
          "rank "
              + first
              + " is in no group, and the ranks left over do not fill groups of "
              + size
              + ", which XLA demands here");
    }
    return out.build();
  }
}
