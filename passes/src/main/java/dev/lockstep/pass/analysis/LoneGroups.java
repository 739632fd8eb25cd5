package dev.lockstep.pass.analysis;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.op.collective.AllGatherStart;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.AllReduceStart;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.CollectivePermuteStart;
import dev.lockstep.hlo.op.collective.CollectiveReduce;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.hlo.op.collective.CrossReplicaSum;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import java.util.HashSet;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Proves that every device is alone in its group. Counts that are not known are never taken for
 * one: they often stand in compile options only.
 *
 * <p>What the ids of a group mean, and so how many devices one stands for, depends on the mode: a
 * group {@code {0}} on a channel without global ids is replica 0 in <em>all</em> partitions
 * (openxla/xla#5655 reports the removal of such a one as a bug).
 */
public final class LoneGroups {
  /**
   * The ops that give a lone device its own operands. A ragged all-to-all is none: its result is
   * another operand with the device's slices written into it.
   */
  private static final ImmutableSet<OpDef> KNOWN =
      ImmutableSet.of(
          AllReduce.DEF,
          AllReduceStart.DEF,
          CrossReplicaSum.DEF,
          AllGather.DEF,
          AllGatherStart.DEF,
          ReduceScatter.DEF,
          AllToAll.DEF,
          CollectiveBroadcast.DEF,
          CollectiveReduce.DEF,
          CollectivePermute.DEF,
          CollectivePermuteStart.DEF);

  private final OptionalInt replicas;
  private final OptionalInt partitions;

  /** Creates the proof from the counts that are known. */
  public LoneGroups(OptionalInt replicas, OptionalInt partitions) {
    this.replicas = replicas;
    this.partitions = partitions;
  }

  /**
   * Returns whether {@code collective} certainly gives every device what that device brings; its
   * shapes are the caller's to compare.
   */
  public boolean isIdentity(Operation collective) {
    if (!KNOWN.contains(collective.def())) {
      return false;
    }
    if (collective.is(CollectivePermute.DEF) || collective.is(CollectivePermuteStart.DEF)) {
      return sendsToSelf(collective);
    }
    GroupMode mode = Collectives.mode(collective);
    ImmutableList<ImmutableLongArray> groups = Collectives.groups(collective).lists();
    if (groups.isEmpty()) {
      return mode != GroupMode.FLATTENED_ID && isOne(limit(mode));
    }
    for (ImmutableLongArray group : groups) {
      if (group.length() != 1) {
        return false;
      }
    }
    if (mode == GroupMode.CROSS_REPLICA_AND_PARTITION && !isOne(partitions)) {
      return false;
    }
    // These two give zeros to a device in no group, so that all must be seen to be in one.
    return !(collective.is(CollectiveBroadcast.DEF) || collective.is(CollectiveReduce.DEF))
        || covers(groups, mode);
  }

  /** A device that no pair names as target gets zeros, so that every id needs its own pair. */
  private boolean sendsToSelf(Operation permute) {
    OptionalInt limit = limit(Collectives.mode(permute));
    if (limit.isEmpty()) {
      return false;
    }
    Set<Long> targets = new HashSet<>();
    for (ImmutableLongArray pair : Collectives.pairs(permute)) {
      if (pair.length() != 2 || pair.get(0) != pair.get(1)) {
        return false;
      }
      targets.add(pair.get(1));
    }
    return targets.size() == limit.getAsInt();
  }

  private boolean covers(ImmutableList<ImmutableLongArray> groups, GroupMode mode) {
    OptionalInt limit = mode == GroupMode.CROSS_REPLICA_AND_PARTITION ? replicas : limit(mode);
    if (limit.isEmpty()) {
      return false;
    }
    Set<Long> ids = new HashSet<>();
    groups.forEach(group -> ids.add(group.get(0)));
    return ids.size() == limit.getAsInt();
  }

  /** Returns how many devices a group of everybody has. */
  private OptionalInt limit(GroupMode mode) {
    return switch (mode) {
      case CROSS_REPLICA -> replicas;
      case CROSS_PARTITION -> partitions;
      case CROSS_REPLICA_AND_PARTITION, FLATTENED_ID ->
          replicas.isPresent() && partitions.isPresent()
              ? OptionalInt.of(Math.multiplyExact(replicas.getAsInt(), partitions.getAsInt()))
              : OptionalInt.empty();
    };
  }

  private static boolean isOne(OptionalInt count) {
    return count.isPresent() && count.getAsInt() == 1;
  }
}
