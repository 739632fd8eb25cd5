package dev.lockstep.hlo.op.kernel;

import com.google.common.primitives.ImmutableLongArray;

/** Arithmetic on row-major positions. */
public final class Index {
  private Index() {}

  /** Returns the sizes as ints; they fit, since a literal's count does, unless one is zero. */
  public static int[] ints(ImmutableLongArray values) {
    int[] out = new int[values.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = Math.toIntExact(values.get(i));
    }
    return out;
  }

  /** Returns the distance between neighbours along each dimension. */
  public static int[] strides(int[] dims) {
    int[] out = new int[dims.length];
    int stride = 1;
    for (int i = dims.length - 1; i >= 0; i--) {
      out[i] = stride;
      stride *= dims[i];
    }
    return out;
  }

  /** Returns the number of positions. */
  public static int count(int[] dims) {
    int count = 1;
    for (int dim : dims) {
      count = Math.multiplyExact(count, dim);
    }
    return count;
  }

  /** Moves {@code index} to the next position of {@code dims}; false after the last. */
  public static boolean next(int[] index, int[] dims) {
    for (int i = dims.length - 1; i >= 0; i--) {
      if (++index[i] < dims[i]) {
        return true;
      }
      index[i] = 0;
    }
    return false;
  }

  /** Returns the sum of products. */
  public static int dot(int[] index, int[] strides) {
    int out = 0;
    for (int i = 0; i < index.length; i++) {
      out += index[i] * strides[i];
    }
    return out;
  }

  /**
   * Returns the offset of every position of {@code dims}, in row-major order, in a tensor where
   * moving along dimension i moves by {@code strides[i]}.
   */
  public static int[] offsets(int[] dims, int[] strides) {
    int[] out = {0};
    for (int d = 0; d < dims.length; d++) {
      int[] longer = new int[Math.multiplyExact(out.length, dims[d])];
      int at = 0;
      for (int base : out) {
        for (int k = 0; k < dims[d]; k++) {
          longer[at++] = base + k * strides[d];
        }
      }
      out = longer;
    }
    return out;
  }

  /** Returns {@code values} in the order of {@code offsets}; itself when that is their own. */
  public static double[] take(double[] values, int[] offsets) {
    if (offsets.length == values.length && isContiguous(offsets)) {
      return values;
    }
    double[] out = new double[offsets.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = values[offsets[i]];
    }
    return out;
  }

  /** Returns {@code values} in the order of {@code offsets}; itself when that is their own. */
  public static long[] take(long[] values, int[] offsets) {
    if (offsets.length == values.length && isContiguous(offsets)) {
      return values;
    }
    long[] out = new long[offsets.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = values[offsets[i]];
    }
    return out;
  }

  /** Returns the elements of {@code values} at {@code places}. */
  public static int[] pick(int[] values, ImmutableLongArray places) {
    int[] out = new int[places.length()];
    for (int i = 0; i < out.length; i++) {
      out[i] = values[(int) places.get(i)];
    }
    return out;
  }

  /** Returns the elements of {@code values} that stand at no place of {@code places}, in order. */
  public static int[] drop(int[] values, ImmutableLongArray places) {
    int[] out = new int[values.length - places.length()];
    int at = 0;
    for (int i = 0; i < values.length; i++) {
      if (!places.contains(i)) {
        out[at++] = values[i];
      }
    }
    return out;
  }

  /** Returns the numbers below {@code count} that are not among {@code places}. */
  public static ImmutableLongArray others(int count, ImmutableLongArray places) {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (int i = 0; i < count; i++) {
      if (!places.contains(i)) {
        out.add(i);
      }
    }
    return out.build();
  }

  /** Returns {@code a} followed by {@code b}. */
  public static int[] join(int[] a, int[] b) {
    int[] out = new int[a.length + b.length];
    System.arraycopy(a, 0, out, 0, a.length);
    System.arraycopy(b, 0, out, a.length, b.length);
    return out;
  }

  /** Returns the sizes as longs. */
  public static long[] longs(int[] dims) {
    long[] out = new long[dims.length];
    for (int i = 0; i < dims.length; i++) {
      out[i] = dims[i];
    }
    return out;
  }

  /** Returns whether the offsets are 0, 1, 2 and so on. */
  public static boolean isContiguous(int[] offsets) {
    for (int i = 0; i < offsets.length; i++) {
      if (offsets[i] != i) {
        return false;
      }
    }
    return true;
  }
}
