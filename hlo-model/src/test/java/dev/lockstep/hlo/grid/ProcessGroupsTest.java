package dev.lockstep.hlo.grid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import org.junit.jupiter.api.Test;

final class ProcessGroupsTest {
  private static final DeviceGrid TWO_BY_TWO = new DeviceGrid(2, 2);

  @Test
  void crossReplica_meetsOnceInEveryPartition() {
    assertThat(resolve(GroupMode.CROSS_REPLICA, lists(new long[] {1, 0}), TWO_BY_TWO))
        .containsExactly(ImmutableIntArray.of(2, 0), ImmutableIntArray.of(3, 1));
  }

  @Test
  void crossPartition_meetsOnceInEveryReplica() {
    assertThat(resolve(GroupMode.CROSS_PARTITION, ReplicaGroups.Lists.ALL, TWO_BY_TWO))
        .containsExactly(ImmutableIntArray.of(0, 1), ImmutableIntArray.of(2, 3));
  }

  @Test
  void crossReplicaAndPartition_ordersMembersAsTheSyntaxSays() {
    ReplicaGroups all = lists(new long[] {0, 1});
    assertThat(
            ProcessGroups.resolve(
                    GroupMode.CROSS_REPLICA_AND_PARTITION,
                    all,
                    TWO_BY_TWO,
                    MemberOrder.REPLICA_MAJOR)
                .groups())
        .containsExactly(ImmutableIntArray.of(0, 1, 2, 3));
    assertThat(
            ProcessGroups.resolve(
                    GroupMode.CROSS_REPLICA_AND_PARTITION,
                    all,
                    TWO_BY_TWO,
                    MemberOrder.PARTITION_MAJOR)
                .groups())
        .containsExactly(ImmutableIntArray.of(0, 2, 1, 3));
  }

  @Test
  void oneReplicaGroupWithAChannel_isNotAGroupOfOne() {
    // openxla/xla#5655: replica_groups={{0}} with a channel joins all partitions.
    ProcessGroups groups =
        ProcessGroups.resolve(
            GroupMode.ofThreeModeOp(true, false),
            lists(new long[] {0}),
            new DeviceGrid(1, 2),
            MemberOrder.REPLICA_MAJOR);
    assertThat(groups.maxGroupSize()).isEqualTo(2);
  }

  @Test
  void flattened_needsGroups() {
    assertThatThrownBy(() -> resolve(GroupMode.FLATTENED_ID, ReplicaGroups.Lists.ALL, TWO_BY_TWO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must be given");
  }

  @Test
  void wrongIds_areNamed() {
    assertThatThrownBy(() -> resolve(GroupMode.CROSS_REPLICA, lists(new long[] {0, 2}), TWO_BY_TWO))
        .hasMessage("replica 2 is out of range, have 2");
    assertThatThrownBy(() -> resolve(GroupMode.FLATTENED_ID, lists(new long[] {3, 3}), TWO_BY_TWO))
        .hasMessage("device 3 is named twice");
  }

  @Test
  void missingDevice_isInNoGroup() {
    ProcessGroups groups =
        ProcessGroups.resolve(
            GroupMode.FLATTENED_ID,
            lists(new long[] {0, 3}),
            TWO_BY_TWO,
            MemberOrder.REPLICA_MAJOR);
    assertThat(groups.groupOf(1)).isEqualTo(-1);
    assertThat(groups.indexInGroup(3)).isEqualTo(1);
  }

  @Test
  void iota_expandsAsXla() {
    assertThat(iota(2, 4, new long[] {8}, null))
        .containsExactly(ImmutableLongArray.of(0, 1, 2, 3), ImmutableLongArray.of(4, 5, 6, 7));
    assertThat(iota(2, 4, new long[] {4, 2}, new long[] {1, 0}))
        .containsExactly(ImmutableLongArray.of(0, 2, 4, 6), ImmutableLongArray.of(1, 3, 5, 7));
    assertThat(iota(4, 2, new long[] {2, 2, 2}, new long[] {0, 2, 1}))
        .containsExactly(
            ImmutableLongArray.of(0, 2),
            ImmutableLongArray.of(1, 3),
            ImmutableLongArray.of(4, 6),
            ImmutableLongArray.of(5, 7));
  }

  private static ImmutableList<ImmutableLongArray> iota(
      long groups, long size, long[] reshape, long @org.jspecify.annotations.Nullable [] order) {
    return new ReplicaGroups.Iota(
            groups,
            size,
            ImmutableLongArray.copyOf(reshape),
            order == null ? null : ImmutableLongArray.copyOf(order))
        .lists();
  }

  private static ReplicaGroups lists(long[]... groups) {
    ImmutableList.Builder<ImmutableLongArray> out = ImmutableList.builder();
    for (long[] group : groups) {
      out.add(ImmutableLongArray.copyOf(group));
    }
    return new ReplicaGroups.Lists(out.build());
  }

  private static ImmutableList<ImmutableIntArray> resolve(
      GroupMode mode, ReplicaGroups groups, DeviceGrid grid) {
    return ProcessGroups.resolve(mode, groups, grid, MemberOrder.REPLICA_MAJOR).groups();
  }
}
