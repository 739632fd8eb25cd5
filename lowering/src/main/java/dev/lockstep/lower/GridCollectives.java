package dev.lockstep.lower;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.CollectiveGroups;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.ReplicaGroups;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.TensorType;
import java.util.OptionalLong;

/**
 * XLA's collectives over groups of ranks, in the mode that fits the grid.
 *
 * <p>With replicas only, ids are replicas and there is no channel. Otherwise all-reduce, all-gather
 * and reduce-scatter use flattened ids. All-to-all and collective-permute have no such mode; {@link
 * TwoModeIds} says when partitions or replicas can name their ranks. Where they cannot, these
 * become an all-gather from which every rank takes its own part, at the price of more traffic.
 */
final class GridCollectives {
  private final Emitter emit;
  private final DeviceGrid grid;
  private final RankValues ranks;

  GridCollectives(Emitter emit, DeviceGrid grid, RankValues ranks) {
    this.emit = emit;
    this.grid = grid;
    this.ranks = ranks;
  }

  private CollectiveGroups flattened(ImmutableList<ImmutableIntArray> groups) {
    ReplicaGroups lists = lists(groups);
    return grid.partitions() == 1
        ? CollectiveGroups.ofReplicas(lists)
        : CollectiveGroups.ofGlobalIds(lists, emit.build().scope().freshChannel());
  }

  private static ReplicaGroups lists(ImmutableList<ImmutableIntArray> groups) {
    ImmutableList.Builder<ImmutableLongArray> lists = ImmutableList.builder();
    for (ImmutableIntArray group : groups) {
      ImmutableLongArray.Builder list = ImmutableLongArray.builder(group.length());
      group.forEach(list::add);
      lists.add(list.build());
    }
    return new ReplicaGroups.Lists(lists.build());
  }

  /** Returns each of {@code values} reduced over its group. */
  ImmutableList<Value> allReduce(
      ImmutableList<Value> values, ReductionKind kind, ImmutableList<ImmutableIntArray> groups) {
    return emit.build().allReduce(values, kind, flattened(groups));
  }

  /** Returns the rows of all members of the group, in group order. */
  Value allGather(Value value, ImmutableList<ImmutableIntArray> groups) {
    TensorType type = Emitter.type(value);
    if (type.rank() > 0 && type.dim(0) == 0) {
      // StableHLO gathers no dimension without elements: each rank gives one row that holds none.
      long[] dims = type.dims().toArray();
      long[] row = new long[dims.length + 1];
      row[0] = 1;
      System.arraycopy(dims, 0, row, 1, dims.length);
      Value rows = allGather(emit.build().reshape(value, row), groups);
      return emit.build().reshape(rows, dims);
    }
    return emit.build().allGather(value, 0, groups.get(0).length(), flattened(groups));
  }

  /** Returns the rank's share of the rows of {@code value} reduced over the group. */
  Value reduceScatter(Value value, ReductionKind kind, ImmutableList<ImmutableIntArray> groups) {
    return emit.build().reduceScatter(value, 0, groups.get(0).length(), kind, flattened(groups));
  }

  /** Returns what the members sent to the rank: block i of the rows comes from member i. */
  Value allToAll(Value value, ImmutableList<ImmutableIntArray> groups) {
    TwoModeIds ids = TwoModeIds.ofGroups(grid, groups);
    if (!ids.isPossible()) {
      return allToAllByGather(value, groups);
    }
    ReplicaGroups lists = lists(ids.groups(groups));
    CollectiveGroups meeting =
        ids.arePartitions()
            ? CollectiveGroups.onChannel(lists, emit.build().scope().freshChannel())
            : CollectiveGroups.ofReplicas(lists);
    return emit.build().allToAll(value, 0, groups.get(0).length(), meeting);
  }

  private Value allToAllByGather(Value value, ImmutableList<ImmutableIntArray> groups) {
    TensorType type = Emitter.type(value);
    int size = groups.get(0).length();
    long block = type.dim(0) / size;
    long[] places = new long[grid.size()];
    for (ImmutableIntArray group : groups) {
      for (int i = 0; i < group.length(); i++) {
        places[group.get(i)] = i * block;
      }
    }
    Value all = allGather(value, groups);
    Value place = ranks.number(places);
    ImmutableList.Builder<Value> parts = ImmutableList.builder();
    for (Value sent : ranks.split(all, size, type.dim(0))) {
      parts.add(emit.rowsAt(sent, place, block));
    }
    return emit.concatenate(parts.build());
  }

  /** Returns what arrived at the rank, zeros where nothing did. */
  Value permute(Value value, ImmutableList<Pair> pairs) {
    TwoModeIds ids = TwoModeIds.ofPairs(grid, pairs);
    if (!ids.isPossible()) {
      return permuteByGather(value, pairs);
    }
    ImmutableList.Builder<ImmutableLongArray> rows = ImmutableList.builder();
    for (Pair pair : ids.pairs(pairs)) {
      rows.add(ImmutableLongArray.of(pair.source(), pair.target()));
    }
    OptionalLong channel =
        ids.arePartitions()
            ? OptionalLong.of(emit.build().scope().freshChannel())
            : OptionalLong.empty();
    return emit.build().collectivePermute(value, rows.build(), channel);
  }

  private Value permuteByGather(Value value, ImmutableList<Pair> pairs) {
    ImmutableIntArray.Builder everybody = ImmutableIntArray.builder(grid.size());
    for (int r = 0; r < grid.size(); r++) {
      everybody.add(r);
    }
    long[] sources = new long[grid.size()];
    boolean[] receives = new boolean[grid.size()];
    for (Pair pair : pairs) {
      sources[pair.target()] = pair.source();
      receives[pair.target()] = true;
    }
    TensorType type = Emitter.type(value);
    Value all = allGather(Rows.stacked(value, emit), ImmutableList.of(everybody.build()));
    Value mine = emit.reshape(emit.rowsAt(all, ranks.number(sources), 1), type.dims());
    return ranks.choose(receives, mine, emit.zeros(type));
  }
}
