package dev.lockstep.hlo.op.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Windows that slide over dimensions, one entry a dimension.
 *
 * @param size sizes of the window
 * @param stride steps between windows
 * @param low padding before the first element; negative cuts off
 * @param high padding behind the last element
 * @param baseDilation distance between neighbours of the base
 * @param dilation distance between neighbours of the window
 */
public record Window(
    int[] size, int[] stride, int[] low, int[] high, int[] baseDilation, int[] dilation) {
  /** MLIR's padding, rows of low and high. */
  public static final AttrKey<ImmutableList<ImmutableLongArray>> PADDING =
      AttrKeys.rows("padding", "");

  /** HLO's low padding. */
  public static final AttrKey<ImmutableLongArray> PAD_LOW = AttrKeys.longs("", "window.pad_low");

  /** HLO's high padding. */
  public static final AttrKey<ImmutableLongArray> PAD_HIGH = AttrKeys.longs("", "window.pad_high");

  /** Returns the values of {@code key}, or {@code fallback} once a dimension. */
  public static int[] entries(
      @Nullable AttrKey<ImmutableLongArray> key, Operation operation, int rank, int fallback) {
    ImmutableLongArray values = key == null ? null : key.find(operation);
    if (values == null) {
      int[] out = new int[rank];
      Arrays.fill(out, fallback);
      return out;
    }
    checkArgument(values.length() == rank, "the window needs %s entries, not %s", rank, values);
    return Index.ints(values);
  }

  /** Returns low or high padding of {@code operation} in either syntax. */
  public static int[] padding(Operation operation, int rank, boolean isHigh) {
    ImmutableList<ImmutableLongArray> rows = PADDING.find(operation);
    if (rows == null || rows.isEmpty()) {
      return entries(isHigh ? PAD_HIGH : PAD_LOW, operation, rank, 0);
    }
    checkArgument(rows.size() == rank, "the padding needs %s rows, not %s", rank, rows.size());
    int[] out = new int[rank];
    for (int d = 0; d < rank; d++) {
      out[d] = Math.toIntExact(rows.get(d).get(isHigh ? 1 : 0));
    }
    return out;
  }

  /** Returns the number of places of the window over {@code base}. */
  public int[] places(int[] base) {
    int[] out = new int[base.length];
    for (int d = 0; d < base.length; d++) {
      long dilatedBase = dilated(base[d], baseDilation[d]) + low[d] + high[d];
      long dilatedWindow = dilated(size[d], dilation[d]);
      out[d] =
          dilatedBase <= 0 || dilatedWindow > dilatedBase
              ? 0
              : Math.toIntExact((dilatedBase - dilatedWindow) / stride[d] + 1);
    }
    return out;
  }

  private static long dilated(int size, int dilation) {
    return size == 0 ? 0 : (size - 1L) * dilation + 1;
  }

  /**
   * Returns, for dimension {@code d}, the position in the base of element w of the window at place
   * p, at index {@code p * size + w}; -1 in padding and between elements of a dilated base.
   */
  public int[] positions(int d, int base, int places) {
    int[] out = new int[places * size[d]];
    for (int p = 0; p < places; p++) {
      for (int w = 0; w < size[d]; w++) {
        int at = p * stride[d] + w * dilation[d] - low[d];
        boolean hit = at >= 0 && at % baseDilation[d] == 0 && at / baseDilation[d] < base;
        out[p * size[d] + w] = hit ? at / baseDilation[d] : -1;
      }
    }
    return out;
  }

  /** Compares contents, unlike the record's own, which would compare arrays by identity. */
  @Override
  public boolean equals(@Nullable Object object) {
    return object instanceof Window && Arrays.deepEquals(parts(), ((Window) object).parts());
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(parts());
  }

  @Override
  public String toString() {
    return Arrays.deepToString(parts());
  }

  private int[][] parts() {
    return new int[][] {size, stride, low, high, baseDilation, dilation};
  }
}
