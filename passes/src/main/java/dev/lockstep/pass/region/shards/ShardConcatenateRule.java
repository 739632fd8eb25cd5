package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.data.Concatenate;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Concatenations of uneven tensors along the dimension that differs: each operand is written where
 * the ones before it end on this rank, over whatever they left there.
 */
final class ShardConcatenateRule implements MergeRule {
  static final ShardConcatenateRule INSTANCE = new ShardConcatenateRule();

  private ShardConcatenateRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Concatenate.DEF)
        && !operation.isUniform()
        && Differences.of(operation).isEmpty();
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    int dim = Math.toIntExact(Concatenate.DIMENSION.get(operation.base()));
    int last = -1;
    for (int i = 0; i < operation.operands().size(); i++) {
      AlignedValue operand = operation.operand(i);
      if (merge.sizes().isSum(operand.sizes(dim))) {
        throw merge.refusal(
            "repair-shape",
            "concatenate along dimension " + dim + ", whose size is right on no rank",
            operation);
      }
      last = merge.sizes().isUneven(operand, dim) ? i : last;
    }
    boolean onlyLast = last == operation.operands().size() - 1;
    for (int i = 0; i < last && onlyLast; i++) {
      onlyLast = !merge.sizes().isUneven(operation.operand(i), dim);
    }
    return last < 0 || onlyLast
        ? merge.copy(operation)
        : ImmutableList.of(written(operation, dim, merge));
  }

  private static Value written(AlignedOp operation, int dim, BlockMerge merge) {
    OpBuilder builder = merge.builder();
    TensorType result = merge.sizes().tensor(operation.result());
    long room = 0;
    for (AlignedValue operand : operation.operands()) {
      room += merge.sizes().tensor(operand).dim(dim);
    }
    long[] dims = result.dims().toArray();
    dims[dim] = room;
    Value all = builder.full(Literal.zeros(TensorType.of(result.element())), result.withDims(dims));
    long[] end = new long[merge.classes().count()];
    for (AlignedValue operand : operation.operands()) {
      List<Value> starts = new ArrayList<>();
      for (int d = 0; d < dims.length; d++) {
        long[] at = d == dim ? end.clone() : new long[end.length];
        starts.add(merge.tables().number(at, ShardMask.INDEX, builder));
      }
      all = builder.dynamicUpdateSlice(all, merge.value(operand), starts);
      for (int k = 0; k < end.length; k++) {
        end[k] += operand.tensor(k).dim(dim);
      }
    }
    return room == result.dim(dim) ? all : builder.sliceDim(all, dim, 0, result.dim(dim));
  }
}
