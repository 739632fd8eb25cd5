package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.data.GetDimensionSize;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;

/** Sizes that programs ask for: what the rank itself holds, from a table. */
final class ShardCountRule implements MergeRule {
  static final ShardCountRule INSTANCE = new ShardCountRule();

  private ShardCountRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(GetDimensionSize.DEF)
        && !operation.isUniform()
        && Differences.of(operation).isEmpty();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    int dim = Math.toIntExact(GetDimensionSize.DIMENSION.get(operation.base()));
    return ImmutableList.of(ShardMask.count(operation.operand(0).sizes(dim), merge));
  }
}
