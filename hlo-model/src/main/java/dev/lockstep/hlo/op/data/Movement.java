package dev.lockstep.hlo.op.data;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.TensorType;

/**
 * Moves of elements between row-major literals.
 *
 * <p>All of them are one walk: the result is visited in row-major order, and a step in result
 * dimension {@code d} is a step of {@code strides[d]} elements in the operand. Runs along the last
 * dimension with a step of one are copied whole.
 */
public final class Movement {
  private Movement() {}

  /** Returns the distance in elements between neighbours in each dimension. */
  public static long[] strides(ImmutableLongArray dims) {
    long[] out = new long[dims.length()];
    long stride = 1;
    for (int d = out.length - 1; d >= 0; d--) {
      out[d] = stride;
      stride *= dims.get(d);
    }
    return out;
  }

  /** Returns a result of {@code dims} read from {@code offset} on with {@code strides}. */
  static Literal gather(Literal from, ImmutableLongArray dims, long offset, long[] strides) {
    TensorType type = TensorType.of(from.element(), dims);
    if (from.isSplat()) {
      return Literal.splat(type, from.rawStorage());
    }
    LiteralBuilder out = new LiteralBuilder(type);
    copy(from, Math.toIntExact(offset), strides, out, 0, strides(dims), dims);
    return out.build();
  }

  /**
   * Copies a box of {@code dims} elements from {@code from} to {@code out}, each side with its own
   * offset and strides.
   */
  static void copy(
      Literal from,
      int offset,
      long[] strides,
      LiteralBuilder out,
      int outOffset,
      long[] outStrides,
      ImmutableLongArray dims) {
    for (int d = 0; d < dims.length(); d++) {
      if (dims.get(d) <= 0) {
        return;
      }
    }
    copyFrom(0, from, offset, strides, out, outOffset, outStrides, dims);
  }

  private static void copyFrom(
      int d,
      Literal from,
      int offset,
      long[] strides,
      LiteralBuilder out,
      int outOffset,
      long[] outStrides,
      ImmutableLongArray dims) {
    if (d == dims.length()) {
      out.copy(outOffset, from, offset);
      return;
    }
    int size = (int) dims.get(d);
    int step = (int) strides[d];
    int outStep = (int) outStrides[d];
    if (d == dims.length() - 1) {
      if (step == 1 && outStep == 1) {
        out.copyRange(outOffset, from, offset, size);
        return;
      }
      for (int i = 0; i < size; i++) {
        out.copy(outOffset + i * outStep, from, offset + i * step);
      }
      return;
    }
    for (int i = 0; i < size; i++) {
      copyFrom(
          d + 1, from, offset + i * step, strides, out, outOffset + i * outStep, outStrides, dims);
    }
  }

  /** Returns {@code from} with dimension {@code i} as {@code places[i]}; unit ones are repeated. */
  public static Literal broadcast(
      Literal from, ImmutableLongArray dims, ImmutableLongArray places) {
    long[] own = strides(from.dims());
    long[] steps = new long[dims.length()];
    for (int d = 0; d < own.length; d++) {
      int place = (int) places.get(d);
      steps[place] = from.dims().get(d) == 1 ? 0 : own[d];
    }
    if (from.count() == 1) {
      return Literal.splat(TensorType.of(from.element(), dims), from.rawStorage());
    }
    return gather(from, dims, 0, steps);
  }

  /** Returns dimension {@code permutation[i]} of {@code from} as dimension {@code i}. */
  public static Literal transpose(Literal from, ImmutableLongArray permutation) {
    long[] own = strides(from.dims());
    long[] dims = new long[own.length];
    long[] steps = new long[own.length];
    for (int d = 0; d < dims.length; d++) {
      int source = (int) permutation.get(d);
      dims[d] = from.dims().get(source);
      steps[d] = own[source];
    }
    return gather(from, ImmutableLongArray.copyOf(dims), 0, steps);
  }

  /** Returns the elements from {@code start} to before {@code limit} by {@code by}. */
  public static Literal slice(Literal from, long[] start, long[] limit, long[] by) {
    long[] own = strides(from.dims());
    long[] dims = new long[own.length];
    long offset = 0;
    for (int d = 0; d < dims.length; d++) {
      dims[d] = Math.max(0, Math.floorDiv(limit[d] - start[d] + by[d] - 1, by[d]));
      offset += start[d] * own[d];
      own[d] *= by[d];
    }
    return gather(from, ImmutableLongArray.copyOf(dims), offset, own);
  }

  /**
   * Returns {@code into} with the box at {@code start} replaced by {@code part}.
   *
   * @throws IllegalArgumentException if {@code part} has other elements or reaches out of it
   */
  public static Literal update(Literal into, Literal part, long[] start) {
    checkArgument(
        into.element() == part.element(),
        "elements of type %s cannot be written among those of type %s",
        part.element().mlirName(),
        into.element().mlirName());
    for (int d = 0; d < start.length; d++) {
      checkArgument(
          start[d] >= 0 && start[d] + part.type().dim(d) <= into.type().dim(d),
          "%s from %s on in dimension %s is not within %s",
          part.type(),
          start[d],
          d,
          into.type());
    }
    LiteralBuilder out = new LiteralBuilder(into.type());
    out.copyRange(0, into, 0, into.count());
    place(out, part, start);
    return out.build();
  }

  /** Writes {@code part} into the box of {@code out} at {@code start}. */
  public static void place(LiteralBuilder out, Literal part, long[] start) {
    long[] strides = strides(out.type().dims());
    long offset = 0;
    for (int d = 0; d < strides.length; d++) {
      offset += start[d] * strides[d];
    }
    copy(part, 0, strides(part.dims()), out, Math.toIntExact(offset), strides, part.dims());
  }

  /** Returns {@code from} with the order along {@code dimensions} reversed. */
  static Literal reverse(Literal from, ImmutableLongArray dimensions) {
    long[] strides = strides(from.dims());
    long offset = 0;
    for (int i = 0; i < dimensions.length(); i++) {
      int d = (int) dimensions.get(i);
      offset += Math.max(0, from.dims().get(d) - 1) * strides[d];
      strides[d] = -strides[d];
    }
    return gather(from, from.dims(), offset, strides);
  }

  /** Returns {@code from} with edges and gaps of {@code filler}; negative edges cut. */
  static Literal pad(Literal from, Literal filler, long[] low, long[] high, long[] interior) {
    int rank = low.length;
    long[] dims = new long[rank];
    long[] first = new long[rank];
    long[] sizes = new long[rank];
    long[] steps = new long[rank];
    long[] own = strides(from.dims());
    long offset = 0;
    for (int d = 0; d < rank; d++) {
      long size = from.dims().get(d);
      long gap = interior[d] + 1;
      dims[d] = Math.max(0, low[d] + size + Math.max(size - 1, 0) * interior[d] + high[d]);
      // Source element s lands on low + s * gap; keep those within the result.
      long from0 = low[d] >= 0 ? 0 : Math.floorDiv(-low[d] + gap - 1, gap);
      long last = Math.min(size - 1, Math.floorDiv(dims[d] - 1 - low[d], gap));
      sizes[d] = last - from0 + 1;
      first[d] = low[d] + from0 * gap;
      steps[d] = gap;
      offset += from0 * own[d];
    }
    TensorType type = TensorType.of(from.element(), ImmutableLongArray.copyOf(dims));
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < type.count(); i++) {
      out.copy(i, filler, 0);
    }
    long[] outStrides = strides(type.dims());
    long outOffset = 0;
    for (int d = 0; d < rank; d++) {
      outOffset += first[d] * outStrides[d];
      outStrides[d] *= steps[d];
    }
    copy(
        from,
        (int) offset,
        own,
        out,
        (int) outOffset,
        outStrides,
        ImmutableLongArray.copyOf(sizes));
    return out.build();
  }

  /** Returns {@code parts} joined along {@code dimension}. */
  public static Literal concatenate(Iterable<Literal> parts, int dimension) {
    long total = 0;
    Literal first = parts.iterator().next();
    for (Literal part : parts) {
      total += part.dims().get(dimension);
    }
    long[] dims = first.dims().toArray();
    dims[dimension] = total;
    LiteralBuilder out =
        new LiteralBuilder(TensorType.of(first.element(), ImmutableLongArray.copyOf(dims)));
    long[] outStrides = strides(out.type().dims());
    int offset = 0;
    for (Literal part : parts) {
      copy(part, 0, strides(part.dims()), out, offset, outStrides, part.dims());
      offset += Math.toIntExact(part.dims().get(dimension) * outStrides[dimension]);
    }
    return out.build();
  }
}
