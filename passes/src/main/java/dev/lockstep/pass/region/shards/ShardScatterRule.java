package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.collective.ReduceScatter;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.align.RankText;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;

/** Reduce-scatters to uneven shards: of an operand with each member's part padded. */
final class ShardScatterRule implements MergeRule {
  static final ShardScatterRule INSTANCE = new ShardScatterRule();

  private ShardScatterRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(ReduceScatter.DEF)
        && !operation.isUniform()
        && Differences.of(operation).isEmpty()
        && operation.operands().size() == operation.results().size();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    int dim = Math.toIntExact(ReduceScatter.DIMENSION.get(operation.base()));
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    for (int i = 0; i < operation.operands().size(); i++) {
      AlignedValue operand = operation.operand(i);
      AlignedValue result = operation.results().get(i);
      ShardMeetingRule.checkMembers(operation, operand, dim, merge);
      operands.add(
          merge.sizes().isUneven(result, dim)
              ? spread(operation, operand, result, dim, merge)
              : merge.value(operand));
    }
    return merge.copy(operation, operands.build());
  }

  /** Returns the operand with padding behind the part of each member. */
  private static Value spread(
      AlignedOp operation, AlignedValue operand, AlignedValue result, int dim, BlockMerge merge) {
    List<Long> members =
        ShardMembers.common(operation, merge.sizes().valid(result.sizes(dim)), merge.classes());
    if (members == null || merge.sizes().isUneven(operand, dim)) {
      throw merge.refusal(
          "repair-shape",
          "the groups of reduce_scatter give shards of different sizes, so where padding stands"
              + " depends on the group",
          operation);
    }
    OpBuilder builder = merge.builder();
    Value value = merge.value(operand);
    TensorType type = merge.sizes().tensor(operand);
    long largest = merge.sizes().tensor(result).dim(dim);
    long total = type.dim(dim);
    merge.step(
        "shape",
        "reduce_scatter to uneven shards, "
            + UnevenShards.describe(merge.classes().byRank(result.sizes(dim).toArray()))
            + ": of an operand padded to "
            + RankText.number(largest * members.size()),
        operation);
    Value zero = builder.constant(Literal.zeros(TensorType.of(type.element())));
    if (ShardMembers.isFullUntilEnd(members, largest)) {
      return padded(value, largest * members.size() - total, dim, zero, builder);
    }
    List<Value> parts = new ArrayList<>();
    long at = 0;
    for (long size : members) {
      Value part = builder.sliceDim(value, dim, at, at + size);
      parts.add(padded(part, largest - size, dim, zero, builder));
      at += size;
    }
    return builder.concatenate(parts, dim);
  }

  private static Value padded(Value value, long count, int dim, Value zero, OpBuilder builder) {
    int rank = ((TensorType) value.type()).rank();
    long[] high = new long[rank];
    high[dim] = count;
    return count == 0 ? value : builder.pad(value, zero, new long[rank], high);
  }
}
