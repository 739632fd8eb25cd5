package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.grid.GroupMode;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.AllReduce;
import dev.lockstep.hlo.op.collective.AllToAll;
import dev.lockstep.hlo.op.collective.CollectiveBroadcast;
import dev.lockstep.hlo.op.collective.CollectivePermute;
import dev.lockstep.hlo.op.collective.Collectives;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;

/**
 * Collectives that keep shapes: they go with padded tensors when those who meet hold equally much;
 * else an element of one rank would meet the padding of another.
 */
final class ShardMeetingRule implements MergeRule {
  static final ShardMeetingRule INSTANCE = new ShardMeetingRule();

  private ShardMeetingRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return (operation.is(AllReduce.DEF)
            || operation.is(AllToAll.DEF)
            || operation.is(CollectiveBroadcast.DEF)
            || operation.is(CollectivePermute.DEF))
        && !operation.isUniform()
        && Differences.of(operation).isEmpty();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    for (AlignedValue operand : operation.operands()) {
      if (operation.is(CollectivePermute.DEF)) {
        checkPairs(operation, operand, merge);
      } else {
        checkMembers(operation, operand, -1, merge);
      }
      if (operation.is(AllToAll.DEF)) {
        checkMoved(operation, operand, merge);
      }
    }
    return merge.copy(operation);
  }

  /** Refuses members whose operands differ in size along a dimension other than {@code except}. */
  static void checkMembers(
      AlignedOp operation, AlignedValue operand, int except, BlockMerge merge) {
    if (!operand.isTensor()) {
      return;
    }
    for (int d = 0; d < operand.tensor(0).rank(); d++) {
      ImmutableLongArray valid = merge.sizes().valid(operand.sizes(d));
      if (d != except
          && merge.sizes().isUneven(operand, d)
          && !ShardMembers.areEqual(operation, valid, merge.classes())) {
        throw refusal(operation, operand, d, merge);
      }
    }
  }

  private static RuntimeException refusal(
      AlignedOp operation, AlignedValue operand, int dim, BlockMerge merge) {
    return merge.refusal(
        "repair-shape",
        "members of "
            + operation.def().shortName()
            + " bring different sizes along dimension "
            + dim
            + ", "
            + UnevenShards.describe(merge.classes().byRank(operand.sizes(dim).toArray()))
            + "; it joins elements at equal places, which padding would shift",
        operation);
  }

  private static void checkPairs(AlignedOp operation, AlignedValue operand, BlockMerge merge) {
    if (!operand.isTensor()) {
      return;
    }
    DeviceGrid grid = merge.classes().grid();
    boolean replicas = Collectives.mode(operation.base()) == GroupMode.CROSS_REPLICA;
    for (int d = 0; d < operand.tensor(0).rank(); d++) {
      long[] sizes = merge.classes().byRank(merge.sizes().valid(operand.sizes(d)).toArray());
      for (ImmutableLongArray pair : Collectives.pairs(operation.base())) {
        int from = Math.toIntExact(pair.get(0));
        int to = Math.toIntExact(pair.get(1));
        int others = replicas ? grid.partitions() : grid.replicas();
        for (int o = 0; o < others; o++) {
          int source = replicas ? grid.device(from, o) : grid.device(o, from);
          int target = replicas ? grid.device(to, o) : grid.device(o, to);
          if (sizes[source] != sizes[target]) {
            throw refusal(operation, operand, d, merge);
          }
        }
      }
    }
  }

  private static void checkMoved(AlignedOp operation, AlignedValue operand, BlockMerge merge) {
    Long split = AllToAll.SPLIT_DIMENSION.find(operation.base());
    Long concat = AllToAll.CONCAT_DIMENSION.find(operation.base());
    if (split == null
        || concat == null
        || !operand.isTensor()
        || merge.sizes().isUneven(operand, Math.toIntExact(split))
        || merge.sizes().isUneven(operand, Math.toIntExact(concat))) {
      throw merge.refusal(
          "repair-shape",
          "all_to_all moves parts of an uneven dimension, whose padding would be moved along",
          operation);
    }
  }
}
