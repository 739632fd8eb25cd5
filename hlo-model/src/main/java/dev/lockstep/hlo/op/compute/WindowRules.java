package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.Constraint;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.kernel.Window;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/** Rules about windows that slide over a tensor. */
final class WindowRules {
  private WindowRules() {}

  /** There is a window size for each dimension of operand 0. */
  static Constraint.Check sizes(AttrKey<ImmutableLongArray> key) {
    return TensorRule.of(
        it ->
            it.require(
                DimensionRules.of(it, key).length() == it.operand(0).rank(),
                "%s must have one entry for each dimension of a tensor of rank %s",
                DimensionRules.of(it, key),
                it.operand(0).rank()));
  }

  /** There are two amounts of padding for each dimension of operand 0. */
  static Constraint.Check padding() {
    return TensorRule.of(it -> padding(it, it.operand(0).rank()));
  }

  /** Requires two amounts of padding for each of {@code count} dimensions. */
  static void padding(TensorRule.Case it, int count) {
    ImmutableList<ImmutableLongArray> rows = Window.PADDING.find(it.operation());
    if (rows == null || rows.isEmpty()) {
      return;
    }
    it.require(
        rows.size() == count && rows.get(0).length() == 2,
        "padding has %d rows of %d amounts, must have %d rows of 2",
        rows.size(),
        rows.get(0).length(),
        count);
  }

  /**
   * Returns how many places the window has in each dimension of {@code base}; nothing where the
   * attributes are not sound.
   */
  static long @Nullable [] places(
      TensorRule.Case it,
      long[] base,
      long[] size,
      AttrKey<ImmutableLongArray> strides,
      @Nullable AttrKey<ImmutableLongArray> baseDilations,
      @Nullable AttrKey<ImmutableLongArray> windowDilations) {
    int rank = base.length;
    ImmutableLongArray stride = entries(it, strides, rank, 1);
    ImmutableLongArray baseDilation = entries(it, baseDilations, rank, 1);
    ImmutableLongArray dilation = entries(it, windowDilations, rank, 1);
    ImmutableList<ImmutableLongArray> rows =
        Window.PADDING.getOr(it.operation(), ImmutableList.of());
    ImmutableLongArray low = entries(it, Window.PAD_LOW, rank, 0);
    ImmutableLongArray high = entries(it, Window.PAD_HIGH, rank, 0);
    boolean hasRows = !rows.isEmpty();
    if (stride == null
        || baseDilation == null
        || dilation == null
        || low == null
        || high == null
        || hasRows && (rows.size() != rank || rows.get(0).length() != 2)
        || size.length != rank) {
      return null;
    }
    long[] out = new long[rank];
    for (int d = 0; d < rank; d++) {
      if (stride.get(d) <= 0 || baseDilation.get(d) <= 0 || dilation.get(d) <= 0) {
        return null;
      }
      if (base[d] == TensorType.DYNAMIC || size[d] == TensorType.DYNAMIC) {
        out[d] = TensorType.DYNAMIC;
        continue;
      }
      long before = hasRows ? rows.get(d).get(0) : low.get(d);
      long behind = hasRows ? rows.get(d).get(1) : high.get(d);
      long padded = before + dilated(base[d], baseDilation.get(d)) + behind;
      long window = dilated(size[d], dilation.get(d));
      out[d] = padded <= 0 || window > padded ? 0 : (padded - window) / stride.get(d) + 1;
    }
    return out;
  }

  private static long dilated(long size, long dilation) {
    return size == 0 ? 0 : (size - 1) * dilation + 1;
  }

  private static @Nullable ImmutableLongArray entries(
      TensorRule.Case it, @Nullable AttrKey<ImmutableLongArray> key, int rank, long fallback) {
    ImmutableLongArray given = key == null ? null : key.find(it.operation());
    if (given == null || given.isEmpty()) {
      ImmutableLongArray.Builder out = ImmutableLongArray.builder(rank);
      for (int d = 0; d < rank; d++) {
        out.add(fallback);
      }
      return out.build();
    }
    return given.length() == rank ? given : null;
  }
}
