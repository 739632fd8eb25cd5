package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/** Rules about slices and the result, which gather and dynamic_gather share. */
final class GatherRules {
  private GatherRules() {}

  /** Returns the slice sizes, or nothing where they may vary. */
  private static @Nullable ImmutableLongArray sizes(TensorRule.Case it) {
    return it.operands() == 3
        ? it.constant(2)
        : Gather.SLICE_SIZES.getOr(it.operation(), ImmutableLongArray.of());
  }

  /** Along {@code dims} slices have one element or none. */
  static Constraint.Check unitSlices(AttrKey<ImmutableLongArray> dims) {
    return TensorRule.of(
        it -> {
          ImmutableLongArray given = sizes(it);
          ImmutableLongArray sizes = given == null ? ImmutableLongArray.of() : given;
          DimensionRules.of(it, dims)
              .forEach(
                  d ->
                      it.require(
                          d < 0 || d >= sizes.length() || sizes.get((int) d) <= 1,
                          "slice sizes %s must be at most 1 in dimension %d",
                          sizes,
                          d));
        });
  }

  /** Slices fit into the operand. */
  static void checkSizes(TensorRule.Case it) {
    ImmutableLongArray sizes = sizes(it);
    for (int d = 0; sizes != null && d < Math.min(sizes.length(), it.operand(0).rank()); d++) {
      long size = it.operand(0).dim(d);
      if (!it.require(
          sizes.get(d) >= 0 && (size == TensorType.DYNAMIC || sizes.get(d) <= size),
          "slice size %d of dimension %d does not fit into %s",
          sizes.get(d),
          d,
          it.operand(0))) {
        return;
      }
    }
  }

  /** Operand and result have elements of one type. */
  static void checkElements(TensorRule.Case it) {
    it.require(
        it.sameElements(it.operand(0), it.result()),
        "the operand has elements of type %s but the result of type %s",
        it.operand(0).element(),
        it.result().element());
  }

  /** The result has the sizes of the batch and of the slices. */
  static void checkResult(TensorRule.Case it) {
    ImmutableLongArray sizes = sizes(it);
    int rank = it.operand(0).rank();
    long dim = Gather.INDEX_VECTOR_DIM.getOr(it.operation(), 0L);
    if (sizes != null && sizes.length() != rank || dim < 0 || dim > it.operand(1).rank()) {
      return;
    }
    ImmutableLongArray offsets = DimensionRules.of(it, Gather.OFFSET_DIMS);
    long[] slice = slice(it, sizes);
    long[] batch = IndexRules.batch(it.operand(1), dim);
    if (slice.length != offsets.length()) {
      return;
    }
    long[] dims = new long[slice.length + batch.length];
    int nextBatch = 0;
    for (int d = 0; d < dims.length; d++) {
      int at = offsets.indexOf(d);
      if (at >= 0) {
        dims[d] = slice[at];
      } else if (nextBatch < batch.length) {
        dims[d] = batch[nextBatch++];
      } else {
        return;
      }
    }
    DimensionRules.requireResult(it, dims);
  }

  private static long[] slice(TensorRule.Case it, @Nullable ImmutableLongArray sizes) {
    ImmutableLongArray collapsed = DimensionRules.of(it, Gather.COLLAPSED_SLICE_DIMS);
    ImmutableLongArray batching = DimensionRules.of(it, Gather.OPERAND_BATCHING_DIMS);
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (int d = 0; d < it.operand(0).rank(); d++) {
      if (!collapsed.contains(d) && !batching.contains(d)) {
        out.add(sizes == null ? TensorType.DYNAMIC : sizes.get(d));
      }
    }
    return out.build().toArray();
  }
}
