package dev.lockstep.hlo.grid;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.Arrays;

/**
 * Which devices meet: the groups of one collective over one grid, as devices in member order.
 *
 * <p>The only place where modes, channels and global ids are given a meaning. A device is in at
 * most one group; {@link #groupOf} is -1 for a device in none.
 */
public final class ProcessGroups {
  private final ImmutableList<ImmutableIntArray> groups;
  private final int[] groupOf;
  private final int[] indexInGroup;

  private ProcessGroups(ImmutableList<ImmutableIntArray> groups, int devices) {
    this.groups = groups;
    this.groupOf = new int[devices];
    this.indexInGroup = new int[devices];
    Arrays.fill(groupOf, -1);
    Arrays.fill(indexInGroup, -1);
    for (int g = 0; g < groups.size(); g++) {
      ImmutableIntArray members = groups.get(g);
      for (int m = 0; m < members.length(); m++) {
        int device = members.get(m);
        checkArgument(groupOf[device] < 0, "device %s is in two groups", device);
        groupOf[device] = g;
        indexInGroup[device] = m;
      }
    }
  }

  /**
   * Returns the groups of devices that {@code written} means.
   *
   * @throws IllegalArgumentException if an id is out of range, stands twice, or groups are missing
   *     in flattened mode; the message says which, in words for a diagnostic
   */
  public static ProcessGroups resolve(
      GroupMode mode, ReplicaGroups written, DeviceGrid grid, MemberOrder order) {
    ImmutableList<ImmutableLongArray> ids = written.lists();
    int limit =
        switch (mode) {
          case CROSS_REPLICA, CROSS_REPLICA_AND_PARTITION -> grid.replicas();
          case CROSS_PARTITION -> grid.partitions();
          case FLATTENED_ID -> grid.size();
        };
    if (ids.isEmpty()) {
      checkArgument(
          mode != GroupMode.FLATTENED_ID,
          "replica_groups must be given when use_global_device_ids is set");
      ids = ImmutableList.of(iota(limit));
    }
    checkIds(ids, limit, mode);
    ImmutableList.Builder<ImmutableIntArray> out = ImmutableList.builder();
    for (ImmutableLongArray group : ids) {
      switch (mode) {
        case CROSS_REPLICA -> {
          for (int p = 0; p < grid.partitions(); p++) {
            ImmutableIntArray.Builder members = ImmutableIntArray.builder(group.length());
            for (int i = 0; i < group.length(); i++) {
              members.add(grid.device((int) group.get(i), p));
            }
            out.add(members.build());
          }
        }
        case CROSS_PARTITION -> {
          for (int r = 0; r < grid.replicas(); r++) {
            ImmutableIntArray.Builder members = ImmutableIntArray.builder(group.length());
            for (int i = 0; i < group.length(); i++) {
              members.add(grid.device(r, (int) group.get(i)));
            }
            out.add(members.build());
          }
        }
        case CROSS_REPLICA_AND_PARTITION -> out.add(allPartitions(group, grid, order));
        case FLATTENED_ID -> {
          ImmutableIntArray.Builder members = ImmutableIntArray.builder(group.length());
          for (int i = 0; i < group.length(); i++) {
            members.add((int) group.get(i));
          }
          out.add(members.build());
        }
      }
    }
    return new ProcessGroups(out.build(), grid.size());
  }

  private static ImmutableIntArray allPartitions(
      ImmutableLongArray replicas, DeviceGrid grid, MemberOrder order) {
    ImmutableIntArray.Builder members = ImmutableIntArray.builder();
    switch (order) {
      case REPLICA_MAJOR -> {
        for (int i = 0; i < replicas.length(); i++) {
          for (int p = 0; p < grid.partitions(); p++) {
            members.add(grid.device((int) replicas.get(i), p));
          }
        }
      }
      case PARTITION_MAJOR -> {
        for (int p = 0; p < grid.partitions(); p++) {
          for (int i = 0; i < replicas.length(); i++) {
            members.add(grid.device((int) replicas.get(i), p));
          }
        }
      }
    }
    return members.build();
  }

  private static void checkIds(
      ImmutableList<ImmutableLongArray> groups, int limit, GroupMode mode) {
    boolean[] seen = new boolean[limit];
    String what = mode == GroupMode.CROSS_PARTITION ? "partition" : "replica";
    if (mode == GroupMode.FLATTENED_ID) {
      what = "device";
    }
    for (ImmutableLongArray group : groups) {
      for (int i = 0; i < group.length(); i++) {
        long id = group.get(i);
        checkArgument(id >= 0 && id < limit, "%s %s is out of range, have %s", what, id, limit);
        checkArgument(!seen[(int) id], "%s %s is named twice", what, id);
        seen[(int) id] = true;
      }
    }
  }

  private static ImmutableLongArray iota(int count) {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder(count);
    for (int i = 0; i < count; i++) {
      out.add(i);
    }
    return out.build();
  }

  /** Returns all groups, each as devices in member order. */
  public ImmutableList<ImmutableIntArray> groups() {
    return groups;
  }

  /** Returns the index of the group of {@code device}, or -1. */
  public int groupOf(int device) {
    return groupOf[device];
  }

  /** Returns the position of {@code device} within its group, or -1. */
  public int indexInGroup(int device) {
    return indexInGroup[device];
  }

  /** Returns the size of the largest group, 0 without groups. */
  public int maxGroupSize() {
    return groups.stream().mapToInt(ImmutableIntArray::length).max().orElse(0);
  }
}
