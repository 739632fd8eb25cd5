package dev.lockstep.hlo.op.kernel;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.TensorType;

/** Cuts tensors along a dimension and joins them. */
public final class Parts {
  private Parts() {}

  /**
   * Returns part {@code index} of {@code count} equal parts along {@code dim}.
   *
   * @throws IllegalArgumentException if the size is not a multiple of {@code count}
   */
  public static Literal part(Literal literal, int dim, int index, int count) {
    checkDimension(literal, dim);
    int[] dims = Index.ints(literal.dims());
    checkArgument(
        dims[dim] % count == 0,
        "size %s of dimension %s is not a multiple of %s",
        dims[dim],
        dim,
        count);
    int size = dims[dim] / count;
    return slice(literal, dim, index * size, size);
  }

  /** Returns {@code size} rows along {@code dim}, from row {@code start} on. */
  public static Literal slice(Literal literal, int dim, int start, int size) {
    int[] dims = Index.ints(literal.dims());
    int inner = inner(dims, dim);
    int outer = outer(dims, dim);
    long[] newDims = Index.longs(dims);
    newDims[dim] = size;
    LiteralBuilder out = new LiteralBuilder(TensorType.of(literal.element(), newDims));
    for (int o = 0; o < outer; o++) {
      out.copyRange(o * size * inner, literal, (o * dims[dim] + start) * inner, size * inner);
    }
    return out.build();
  }

  /**
   * Returns the tensors joined along {@code dim}.
   *
   * @throws IllegalArgumentException if their other dimensions or element types differ
   */
  public static Literal join(ImmutableList<Literal> parts, int dim) {
    Literal first = parts.get(0);
    checkDimension(first, dim);
    int[] dims = Index.ints(first.dims());
    int inner = inner(dims, dim);
    int outer = outer(dims, dim);
    long[] newDims = Index.longs(dims);
    newDims[dim] = 0;
    for (Literal part : parts) {
      int[] other = Index.ints(part.dims());
      checkArgument(
          part.element() == first.element() && other.length == dims.length,
          "cannot join %s and %s",
          first.type(),
          part.type());
      for (int i = 0; i < dims.length; i++) {
        checkArgument(
            i == dim || other[i] == dims[i],
            "cannot join %s and %s along dimension %s",
            first.type(),
            part.type(),
            dim);
      }
      newDims[dim] += other[dim];
    }
    LiteralBuilder out = new LiteralBuilder(TensorType.of(first.element(), newDims));
    int at = 0;
    for (int o = 0; o < outer; o++) {
      for (Literal part : parts) {
        int rows = (int) part.type().dim(dim) * inner;
        out.copyRange(at, part, o * rows, rows);
        at += rows;
      }
    }
    return out.build();
  }

  private static void checkDimension(Literal literal, int dim) {
    checkArgument(
        dim >= 0 && dim < literal.type().rank(), "%s has no dimension %s", literal.type(), dim);
  }

  private static int inner(int[] dims, int dim) {
    int out = 1;
    for (int i = dim + 1; i < dims.length; i++) {
      out *= dims[i];
    }
    return out;
  }

  private static int outer(int[] dims, int dim) {
    int out = 1;
    for (int i = 0; i < dim; i++) {
      out *= dims[i];
    }
    return out;
  }
}
