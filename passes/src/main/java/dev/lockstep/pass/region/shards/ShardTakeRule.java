package dev.lockstep.pass.region.shards;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.compute.Gather;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedOp;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import dev.lockstep.pass.region.merge.Differences;
import dev.lockstep.pass.region.merge.MergeRule;
import java.util.ArrayList;
import java.util.List;

/**
 * Gathers from uneven tensors, such as rows of a sharded embedding table: indices are limited to a
 * rank's own elements first, as its own gather would have limited them.
 */
final class ShardTakeRule implements MergeRule {
  static final ShardTakeRule INSTANCE = new ShardTakeRule();

  private static final String SLICE_SIZES = "slice_sizes";

  private ShardTakeRule() {}

  @Override
  public boolean applies(AlignedOp operation, BlockMerge merge) {
    return operation.is(Gather.DEF)
        && !operation.isUniform()
        && ImmutableSet.of(SLICE_SIZES).containsAll(Differences.of(operation));
  }

  @Override
  public ImmutableList<Value> merge(AlignedOp operation, BlockMerge merge) {
    AlignedValue operand = operation.operand(0);
    TensorType type = merge.sizes().tensor(operand);
    ImmutableLongArray map =
        Gather.START_INDEX_MAP.getOr(operation.base(), ImmutableLongArray.of());
    long[] sizes = Gather.SLICE_SIZES.get(operation.base()).toArray();
    List<long[]> limits = new ArrayList<>();
    boolean limited = false;
    for (int i = 0; i < map.length(); i++) {
      limits.add(new long[0]);
    }
    for (int d = 0; d < type.rank(); d++) {
      ShardLimits.Part part = ShardLimits.part(operation, operand, d, sizes(operation, d), merge);
      sizes[d] = part.size();
      int component = map.asList().indexOf((long) d);
      if (component >= 0) {
        limits.set(component, part.lastStart());
        limited |= part.isLimited();
      }
    }
    Value indices = merge.value(operation.operand(1));
    if (limited) {
      indices = limited(operation, indices, limits, merge);
    }
    Attributes attributes =
        operation.base().attributes().with(SLICE_SIZES, Attribute.Longs.of(sizes));
    return merge.copy(
        operation,
        ImmutableList.of(merge.value(operand), indices),
        ImmutableList.of(merge.type(operation.result())),
        attributes);
  }

  private static long[] sizes(AlignedOp operation, int dim) {
    long[] out = new long[operation.operations().size()];
    for (int k = 0; k < out.length; k++) {
      out[k] = Gather.SLICE_SIZES.get(operation.operations().get(k)).get(dim);
    }
    return out;
  }

  /** Returns the smaller of {@code indices} and the last starts, component by component. */
  private static Value limited(
      AlignedOp operation, Value indices, List<long[]> limits, BlockMerge merge) {
    OpBuilder builder = merge.builder();
    TensorType type = (TensorType) indices.type();
    List<Value> parts = new ArrayList<>();
    for (long[] limit : limits) {
      parts.add(merge.tables().number(limit, type.element(), builder));
    }
    int vector = Math.toIntExact(Gather.INDEX_VECTOR_DIM.getOr(operation.base(), 0L));
    TensorType plain = TensorType.of(type.element(), type.dims());
    if (vector == type.rank()) {
      return builder.minimum(indices, builder.broadcastInDim(parts.get(0), plain));
    }
    List<Value> rows = new ArrayList<>();
    parts.forEach(part -> rows.add(builder.reshape(part, 1)));
    Value all = builder.concatenate(rows, 0);
    return builder.minimum(indices, builder.broadcastInDim(all, plain, vector));
  }
}
