package dev.lockstep.pass.region.shards;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.build.OpBuilder;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.pass.region.align.AlignedValue;
import dev.lockstep.pass.region.merge.BlockMerge;
import java.util.List;

/** Replaces what is behind a rank's own elements; by select, since 0 times NaN is NaN. */
final class ShardMask {
  /** What elements are counted in. */
  static final ElementType INDEX = ElementType.I32;

  private ShardMask() {}

  /** Returns how many elements along {@code dim} are the rank's own, a scalar. */
  static Value count(ImmutableLongArray byClass, BlockMerge merge) {
    ImmutableLongArray valid = merge.sizes().valid(byClass);
    return merge.tables().number(valid.toArray(), INDEX, merge.builder());
  }

  /**
   * Returns {@code value}, which stands for {@code aligned}, with {@code filler} (a scalar) behind
   * the rank's own elements in those of {@code dims} where ranks differ.
   */
  static Value apply(
      Value value, AlignedValue aligned, List<Integer> dims, Value filler, BlockMerge merge) {
    OpBuilder builder = merge.builder();
    TensorType type = (TensorType) value.type();
    TensorType numbers = TensorType.of(INDEX, type.dims());
    Value mask = null;
    for (int d : dims) {
      if (!merge.sizes().isUneven(aligned, d)) {
        continue;
      }
      Value limit = builder.broadcastInDim(count(aligned.sizes(d), merge), numbers);
      Value own = builder.compare("LT", builder.iota(numbers, d), limit);
      mask = mask == null ? own : builder.and(mask, own);
    }
    return mask == null ? value : select(mask, value, filler, builder);
  }

  private static Value select(Value mask, Value value, Value filler, OpBuilder builder) {
    TensorType type = (TensorType) value.type();
    TensorType plain = TensorType.of(type.element(), type.dims());
    return builder.select(mask, value, builder.broadcastInDim(filler, plain));
  }
}
