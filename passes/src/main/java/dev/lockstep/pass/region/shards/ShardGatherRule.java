package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.collective.AllGather;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.align.RankText;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;

/** All-gathers of uneven shards: of padded ones, with the padding cut out of the result. */
final class ShardGatherRule implements MergeRule {
  static final ShardGatherRule INSTANCE = new ShardGatherRule();

  private ShardGatherRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(AllGather.DEF)
        && !operation.isUniform()
        && Differences.of(operation).isEmpty()
        && operation.operands().size() == operation.results().size();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    int dim = Math.toIntExact(AllGather.DIMENSION.get(operation.base()));
    ImmutableList.Builder<Value> operands = ImmutableList.builder();
    ImmutableList.Builder<Type> types = ImmutableList.builder();
    for (int i = 0; i < operation.operands().size(); i++) {
      AlignedValue operand = operation.operand(i);
      ShardMeetingRule.checkMembers(operation, operand, dim, merge);
      TensorType part = merge.sizes().tensor(operand);
      long members = ShardMembers.of(operation, operand.sizes(dim), merge.classes()).get(0).size();
      long[] dims = part.dims().toArray();
      dims[dim] *= members;
      types.add(part.withDims(dims));
      operands.add(merge.value(operand));
    }
    ImmutableList<Value> gathered =
        merge.copy(operation, operands.build(), types.build(), operation.base().attributes());
    ImmutableList.Builder<Value> results = ImmutableList.builder();
    for (int i = 0; i < gathered.size(); i++) {
      results.add(cut(operation, operation.operand(i), gathered.get(i), dim, merge));
    }
    return results.build();
  }

  /** Takes out of {@code gathered} what members have behind their own elements. */
  private static Value cut(
      AlignedOp operation, AlignedValue operand, Value gathered, int dim, BlockMerge merge) {
    if (!merge.sizes().isUneven(operand, dim)) {
      return gathered;
    }
    List<Long> members =
        ShardMembers.common(operation, merge.sizes().valid(operand.sizes(dim)), merge.classes());
    if (members == null) {
      throw merge.refusal(
          "repair-shape",
          "the groups of all_gather hold shards of different sizes, so where padding stands depends"
              + " on the group",
          operation);
    }
    OpBuilder builder = merge.builder();
    long largest = merge.sizes().tensor(operand).dim(dim);
    long total = members.stream().mapToLong(Long::longValue).sum();
    merge.step(
        "shape",
        "all_gather of uneven shards, "
            + UnevenShards.describe(merge.classes().byRank(operand.sizes(dim).toArray()))
            + ": padded to "
            + RankText.number(largest)
            + ", and the padding cut out of the "
            + RankText.number(total)
            + " gathered",
        operation);
    if (ShardMembers.isFullUntilEnd(members, largest)) {
      return builder.sliceDim(gathered, dim, 0, total);
    }
    List<Value> parts = new ArrayList<>();
    for (int m = 0; m < members.size(); m++) {
      if (members.get(m) > 0) {
        parts.add(builder.sliceDim(gathered, dim, m * largest, m * largest + members.get(m)));
      }
    }
    return builder.concatenate(parts, dim);
  }
}
