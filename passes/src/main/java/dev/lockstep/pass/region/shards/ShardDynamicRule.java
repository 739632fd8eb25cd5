package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.data.DynamicSlice;
import dev.lockstep.hlo.op.data.DynamicUpdateSlice;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Dynamic slices and updates of uneven tensors: starts are limited to a rank's own elements first,
 * as its own operation would have limited them.
 */
final class ShardDynamicRule implements MergeRule {
  static final ShardDynamicRule INSTANCE = new ShardDynamicRule();

  private static final ImmutableSet<String> KEYS =
      ImmutableSet.of("slice_sizes", "dynamic_slice_sizes");

  private ShardDynamicRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return (operation.is(DynamicSlice.DEF) || operation.is(DynamicUpdateSlice.DEF))
        && !operation.isUniform()
        && KEYS.containsAll(Differences.of(operation));
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    AlignedValue operand = operation.operand(0);
    boolean slices = operation.is(DynamicSlice.DEF);
    AlignedValue part = slices ? operation.result() : operation.operand(1);
    int firstStart = slices ? 1 : 2;
    int rank = merge.sizes().tensor(operand).rank();
    if (operation.operands().size() != firstStart + rank) {
      throw merge.refusal(
          "repair-shape", "starts of an uneven tensor must be one scalar a dimension", operation);
    }
    long[] sizes = new long[rank];
    List<Value> starts = new ArrayList<>();
    for (int d = 0; d < rank; d++) {
      ShardLimits.Part here =
          ShardLimits.part(operation, operand, d, part.sizes(d).toArray(), merge);
      sizes[d] = here.size();
      Value start = merge.value(operation.operand(firstStart + d));
      if (here.isLimited()) {
        TensorType type = (TensorType) start.type();
        Value last = merge.tables().number(here.lastStart(), type.element(), merge.builder());
        start = merge.builder().minimum(start, last);
      }
      starts.add(start);
    }
    Value value = merge.value(operand);
    return ImmutableList.of(
        slices
            ? merge.builder().dynamicSlice(value, starts, sizes)
            : merge.builder().dynamicUpdateSlice(value, merge.value(operation.operand(1)), starts));
  }
}
