package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How ops that know only replicas or only partitions, all-to-all and collective-permute, can name
 * ranks. Such ids mean the same meeting once in every partition, or once in every replica; with
 * both counts above one that must be what the call wants, or no id can say it.
 */
final class TwoModeIds {
  private enum Mode {
    REPLICAS,
    PARTITIONS,
    NEITHER
  }

  private final DeviceGrid grid;
  private final Mode mode;

  private TwoModeIds(DeviceGrid grid, Mode mode) {
    this.grid = grid;
    this.mode = mode;
  }

  /** Returns the ids for {@code groups}. */
  static TwoModeIds ofGroups(DeviceGrid grid, ImmutableList<ImmutableIntArray> groups) {
    return choose(grid, mode -> new TwoModeIds(grid, mode).repeatsGroups(groups));
  }

  /** Returns the ids for {@code pairs}. */
  static TwoModeIds ofPairs(DeviceGrid grid, ImmutableList<Pair> pairs) {
    return choose(grid, mode -> new TwoModeIds(grid, mode).repeatsPairs(pairs));
  }

  private static TwoModeIds choose(DeviceGrid grid, Predicate<Mode> fits) {
    if (grid.partitions() == 1 || fits.test(Mode.REPLICAS)) {
      return new TwoModeIds(grid, Mode.REPLICAS);
    }
    boolean partitions = grid.replicas() == 1 || fits.test(Mode.PARTITIONS);
    return new TwoModeIds(grid, partitions ? Mode.PARTITIONS : Mode.NEITHER);
  }

  /** Returns whether ids can say it. */
  boolean isPossible() {
    return mode != Mode.NEITHER;
  }

  /** Returns whether ids are partitions, which takes a channel. */
  boolean arePartitions() {
    return mode == Mode.PARTITIONS;
  }

  /** Returns {@code groups} of ranks as groups of ids. */
  ImmutableList<ImmutableIntArray> groups(ImmutableList<ImmutableIntArray> groups) {
    ImmutableList.Builder<ImmutableIntArray> out = ImmutableList.builder();
    for (ImmutableIntArray group : groups) {
      if (copy(group.get(0)) == 0) {
        ImmutableIntArray.Builder ids = ImmutableIntArray.builder(group.length());
        group.forEach(rank -> ids.add(id(rank)));
        out.add(ids.build());
      }
    }
    return out.build();
  }

  /** Returns {@code pairs} of ranks as pairs of ids. */
  ImmutableList<Pair> pairs(ImmutableList<Pair> pairs) {
    ImmutableList.Builder<Pair> out = ImmutableList.builder();
    for (Pair pair : pairs) {
      if (copy(pair.source()) == 0) {
        out.add(new Pair(id(pair.source()), id(pair.target())));
      }
    }
    return out.build();
  }

  private boolean repeatsGroups(ImmutableList<ImmutableIntArray> groups) {
    for (ImmutableIntArray group : groups) {
      if (!sameCopy(group.asList())) {
        return false;
      }
    }
    ImmutableList<ImmutableIntArray> wanted = groups(groups);
    Set<ImmutableIntArray> seen = new HashSet<>(wanted);
    for (ImmutableIntArray group : groups) {
      ImmutableIntArray.Builder ids = ImmutableIntArray.builder(group.length());
      group.forEach(rank -> ids.add(id(rank)));
      if (!seen.contains(ids.build())) {
        return false;
      }
    }
    return (long) wanted.size() * copies() == groups.size();
  }

  private boolean repeatsPairs(ImmutableList<Pair> pairs) {
    Set<Pair> wanted = new HashSet<>(pairs(pairs));
    for (Pair pair : pairs) {
      if (copy(pair.source()) != copy(pair.target())
          || !wanted.contains(new Pair(id(pair.source()), id(pair.target())))) {
        return false;
      }
    }
    return (long) wanted.size() * copies() == pairs.size();
  }

  private boolean sameCopy(List<Integer> ranks) {
    return ranks.stream().map(this::copy).distinct().count() == 1;
  }

  private int copies() {
    return mode == Mode.REPLICAS ? grid.partitions() : grid.replicas();
  }

  private int copy(int rank) {
    return mode == Mode.REPLICAS ? grid.partition(rank) : grid.replica(rank);
  }

  private int id(int rank) {
    return mode == Mode.REPLICAS ? grid.replica(rank) : grid.partition(rank);
  }
}
