package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.type.TensorType;

/** Rules about index vectors, which gather and scatter share. */
final class IndexRules {
  private IndexRules() {}

  /** The three lists together have an entry for each dimension of operand 0. */
  @SafeVarargs
  static Constraint.Check covers(AttrKey<ImmutableLongArray>... keys) {
    return TensorRule.of(
        it -> {
          int length = 0;
          for (AttrKey<ImmutableLongArray> key : keys) {
            length += DimensionRules.of(it, key).length();
          }
          it.require(
              length == it.operand(0).rank(),
              "%d dimensions are named for an operand of rank %d",
              length,
              it.operand(0).rank());
        });
  }

  /** The dimension of the index vectors is one of the indices, or the one behind the last. */
  static Constraint.Check vectorDim(int indices, AttrKey<Long> key) {
    return TensorRule.of(
        it -> {
          long dim = key.getOr(it.operation(), 0L);
          int rank = indices(it, indices).rank();
          it.require(
              dim >= 0 && dim <= rank, "index_vector_dim is %d, indices have rank %d", dim, rank);
        });
  }

  /** There is a dimension of the operand for each part of an index vector. */
  static Constraint.Check vectorSize(
      int indices, AttrKey<ImmutableLongArray> map, AttrKey<Long> vectorDim) {
    return TensorRule.of(
        it -> {
          TensorType type = indices(it, indices);
          long dim = vectorDim.getOr(it.operation(), 0L);
          if (dim < 0 || dim > type.rank()) {
            return;
          }
          long size = dim == type.rank() ? 1 : type.dim((int) dim);
          long mapped = DimensionRules.of(it, map).length();
          it.require(
              TensorRule.agree(size, mapped),
              "index vectors have %d parts for %d dimensions",
              size,
              mapped);
        });
  }

  /** The dimension of the index vectors is none of the batching ones. */
  static Constraint.Check vectorIsNoBatch(
      AttrKey<ImmutableLongArray> batching, AttrKey<Long> vectorDim) {
    return TensorRule.of(
        it -> {
          long dim = vectorDim.getOr(it.operation(), 0L);
          it.require(
              !DimensionRules.of(it, batching).contains(dim),
              "index_vector_dim %d is among the batching dimensions %s",
              dim,
              DimensionRules.of(it, batching));
        });
  }

  /** Batching dimensions of operand 0 have the sizes of those of the indices. */
  static Constraint.Check batchSizes(
      int indices, AttrKey<ImmutableLongArray> operand, AttrKey<ImmutableLongArray> batching) {
    return TensorRule.of(
        it -> {
          ImmutableLongArray left = DimensionRules.of(it, operand);
          ImmutableLongArray right = DimensionRules.of(it, batching);
          TensorType type = indices(it, indices);
          for (int i = 0; i < Math.min(left.length(), right.length()); i++) {
            if (!DimensionRules.has(it.operand(0), left.get(i))
                || !DimensionRules.has(type, right.get(i))
                || !it.require(
                    TensorRule.agree(
                        it.operand(0).dim((int) left.get(i)), type.dim((int) right.get(i))),
                    "batching dimension %d of %s and %d of %s differ in size",
                    left.get(i),
                    it.operand(0),
                    right.get(i),
                    type)) {
              return;
            }
          }
        });
  }

  /** Entries are all different and grow. */
  static Constraint.Check ascending(AttrKey<ImmutableLongArray> key) {
    return TensorRule.of(
        it -> {
          ImmutableLongArray dims = DimensionRules.of(it, key);
          for (int i = 1; i < dims.length(); i++) {
            if (!it.require(
                dims.get(i - 1) < dims.get(i), "dimensions %s must grow, each once", dims)) {
              return;
            }
          }
        });
  }

  /** Returns the sizes of {@code indices} without that of the index vectors. */
  static long[] batch(TensorType indices, long vectorDim) {
    long[] out = new long[vectorDim < indices.rank() ? indices.rank() - 1 : indices.rank()];
    int at = 0;
    for (int d = 0; d < indices.rank(); d++) {
      if (d != vectorDim) {
        out[at++] = indices.dim(d);
      }
    }
    return out;
  }

  /** Returns the indices: operand {@code at}, or counted from the middle when negative. */
  static TensorType indices(TensorRule.Case it, int at) {
    return it.operand(at >= 0 ? at : it.operands() / 2);
  }
}
