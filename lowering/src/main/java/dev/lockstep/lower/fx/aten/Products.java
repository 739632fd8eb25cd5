package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Products of matrices and vectors. */
final class Products {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of("mm(Tensor self, Tensor mat2) -> Tensor", (call, t) -> mm(call, t, "mat2")),
          AtenOp.of("bmm(Tensor self, Tensor mat2) -> Tensor", Products::bmm),
          AtenOp.of("mv(Tensor self, Tensor vec) -> Tensor", Products::mv),
          AtenOp.of("dot(Tensor self, Tensor tensor) -> Tensor", Products::dot),
          AtenOp.of("outer(Tensor self, Tensor vec2) -> Tensor", Products::outer),
          AtenOp.of("ger(Tensor self, Tensor vec2) -> Tensor", Products::outer),
          AtenOp.of(
              "matmul(Tensor self, Tensor other) -> Tensor",
              (call, t) -> Arg.of(matmul(call, t, call.tensor("self"), call.tensor("other")))),
          AtenOp.of(
              "linear(Tensor input, Tensor weight, Tensor? bias=None) -> Tensor", Products::linear),
          AtenOp.of(
              "addmm(Tensor self, Tensor mat1, Tensor mat2, *, Scalar beta=1, Scalar alpha=1)"
                  + " -> Tensor",
              (call, t) -> added(call, t, product(call, t, "mat1", "mat2", 2))),
          AtenOp.of(
              "baddbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar"
                  + " alpha=1) -> Tensor",
              (call, t) -> added(call, t, product(call, t, "batch1", "batch2", 3))),
          AtenOp.of(
              "addmv(Tensor self, Tensor mat, Tensor vec, *, Scalar beta=1, Scalar alpha=1)"
                  + " -> Tensor",
              (call, t) -> added(call, t, matmul(call, t, call.tensor("mat"), call.tensor("vec")))),
          AtenOp.of(
              "addbmm(Tensor self, Tensor batch1, Tensor batch2, *, Scalar beta=1, Scalar alpha=1)"
                  + " -> Tensor",
              (call, t) ->
                  added(call, t, Reductions.total(t, product(call, t, "batch1", "batch2", 3), 0))),
          AtenOp.of(
              "einsum(str equation, Tensor[] tensors, *, int[]? path=None) -> Tensor",
              Einsum::lower),
          AtenOp.of(
              "linalg_cross(Tensor self, Tensor other, *, int dim=-1) -> Tensor", Products::cross));

  private Products() {}

  private static Arg mm(AtenCall call, Tensors t, String second) {
    return Arg.of(product(call, t, "self", second, 2));
  }

  private static Arg bmm(AtenCall call, Tensors t) {
    return Arg.of(product(call, t, "self", "mat2", 3));
  }

  /** Returns the product of two matrices, or two batches of them. */
  private static Value product(AtenCall call, Tensors t, String first, String second, int rank) {
    Value a = call.tensor(first);
    Value b = call.tensor(second);
    if (Tensors.rank(a) != rank || Tensors.rank(b) != rank) {
      throw call.error(
          String.format("takes tensors of %d dimensions, got %s and %s", rank, a.type(), b.type()));
    }
    long[] left = Tensors.dims(a);
    long[] right = Tensors.dims(b);
    if (rank == 3 && left[0] != right[0]) {
      throw call.error(
          String.format(
              "batches of %d and %d matrices: %s, %s", left[0], right[0], a.type(), b.type()));
    }
    checkInner(call, a, b, rank - 1, rank - 2);
    long[] batch = rank == 3 ? new long[] {0} : new long[0];
    return contract(t, a, b, batch, batch, new long[] {rank - 1}, new long[] {rank - 2});
  }

  private static void checkInner(AtenCall call, Value a, Value b, int left, int right) {
    if (Tensors.dims(a)[left] != Tensors.dims(b)[right]) {
      throw call.error(
          String.format(
              "cannot multiply %s by %s: %d columns against %d rows",
              a.type(), b.type(), Tensors.dims(a)[left], Tensors.dims(b)[right]));
    }
    if (Tensors.element(a) != Tensors.element(b)) {
      throw call.error("cannot multiply " + a.type() + " by " + b.type());
    }
  }

  /** Returns the product summed over dimensions; batch dimensions come first in the result. */
  static Value contract(
      Tensors t,
      Value a,
      Value b,
      long[] leftBatch,
      long[] rightBatch,
      long[] leftInner,
      long[] rightInner) {
    List<Long> dims = new ArrayList<>();
    for (long dim : leftBatch) {
      dims.add(Tensors.dims(a)[(int) dim]);
    }
    free(a, leftBatch, leftInner, dims);
    free(b, rightBatch, rightInner, dims);
    Attributes.Builder fields = Attributes.builder();
    if (leftBatch.length > 0) {
      fields.put("lhs_batching_dimensions", Attribute.Longs.of(leftBatch));
      fields.put("rhs_batching_dimensions", Attribute.Longs.of(rightBatch));
    }
    if (leftInner.length > 0) {
      fields.put("lhs_contracting_dimensions", Attribute.Longs.of(leftInner));
      fields.put("rhs_contracting_dimensions", Attribute.Longs.of(rightInner));
    }
    long[] sizes = dims.stream().mapToLong(Long::longValue).toArray();
    return t.op(
        "stablehlo.dot_general",
        Tensors.type(a).withDims(sizes),
        Attributes.of(
            "dot_dimension_numbers", new Attribute.Struct("stablehlo.dot", fields.build())),
        a,
        b);
  }

  private static void free(Value value, long[] batch, long[] inner, List<Long> dims) {
    for (int i = 0; i < Tensors.rank(value); i++) {
      int dim = i;
      if (Arrays.stream(batch).noneMatch(each -> each == dim)
          && Arrays.stream(inner).noneMatch(each -> each == dim)) {
        dims.add(Tensors.dims(value)[i]);
      }
    }
  }

  private static Arg mv(AtenCall call, Tensors t) {
    return Arg.of(matmul(call, t, call.tensor("self"), call.tensor("vec")));
  }

  private static Arg dot(AtenCall call, Tensors t) {
    return Arg.of(matmul(call, t, call.tensor("self"), call.tensor("tensor")));
  }

  private static Arg outer(AtenCall call, Tensors t) {
    Value a = call.tensor("self");
    return Arg.of(t.multiply(Shapes.withOne(t, a, 1), call.tensor("vec2")));
  }

  /** Returns torch's matmul: vectors count as rows or columns, batches are broadcast. */
  static Value matmul(AtenCall call, Tensors t, Value left, Value right) {
    if (Tensors.rank(left) == 0 || Tensors.rank(right) == 0) {
      throw call.error("takes no scalars, got " + left.type() + " and " + right.type());
    }
    boolean row = Tensors.rank(left) == 1;
    boolean column = Tensors.rank(right) == 1;
    Value a = row ? Shapes.withOne(t, left, 0) : left;
    Value b = column ? Shapes.withOne(t, right, 1) : right;
    checkInner(call, a, b, Tensors.rank(a) - 1, Tensors.rank(b) - 2);
    Value product = batched(t, a, b);
    int rank = Tensors.rank(product);
    long[] dims = Tensors.dims(product);
    if (column) {
      dims = Tensors.without(dims, rank - 1);
    }
    if (row) {
      dims = Tensors.without(dims, rank - 2);
    }
    return t.reshape(product, dims);
  }

  private static Value batched(Tensors t, Value a, Value b) {
    int left = Tensors.rank(a);
    int right = Tensors.rank(b);
    if (right == 2) {
      // Rows of all batches against one matrix.
      return contract(t, a, b, new long[0], new long[0], new long[] {left - 1}, new long[] {0});
    }
    long[] batchA = Arrays.copyOf(Tensors.dims(a), left - 2);
    long[] batchB = Arrays.copyOf(Tensors.dims(b), right - 2);
    long[] batch = broadcast(batchA, batchB);
    Value x = t.broadcast(a, joined(batch, Arrays.copyOfRange(Tensors.dims(a), left - 2, left)));
    Value y = t.broadcast(b, joined(batch, Arrays.copyOfRange(Tensors.dims(b), right - 2, right)));
    long[] places = java.util.stream.LongStream.range(0, batch.length).toArray();
    return contract(
        t, x, y, places, places, new long[] {batch.length + 1}, new long[] {batch.length});
  }

  private static long[] broadcast(long[] a, long[] b) {
    long[] out = new long[Math.max(a.length, b.length)];
    for (int i = 1; i <= out.length; i++) {
      long x = i <= a.length ? a[a.length - i] : 1;
      long y = i <= b.length ? b[b.length - i] : 1;
      if (x != y && x != 1 && y != 1) {
        throw new Tensors.ShapeMismatch(
            "batches " + Arrays.toString(a) + " and " + Arrays.toString(b) + " do not fit");
      }
      out[out.length - i] = x == 1 ? y : x;
    }
    return out;
  }

  private static long[] joined(long[] a, long[] b) {
    long[] out = Arrays.copyOf(a, a.length + b.length);
    System.arraycopy(b, 0, out, a.length, b.length);
    return out;
  }

  private static Arg linear(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    Value weight = call.tensor("weight");
    Value product =
        matmul(call, t, input, Tensors.rank(weight) == 2 ? t.swap(weight, 0, 1) : weight);
    Value bias = call.tensorOrNull("bias");
    return Arg.of(bias == null ? product : t.add(product, bias));
  }

  private static Arg cross(AtenCall call, Tensors t) {
    Value a = call.tensor("self");
    Value b = call.tensor("other");
    int dim = call.dim("dim", Tensors.rank(a));
    if (Tensors.dims(a)[dim] != 3) {
      throw call.error("dimension " + dim + " of " + a.type() + " must have 3 elements");
    }
    List<Value> parts = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3;
      int k = (i + 2) % 3;
      parts.add(
          t.subtract(
              t.multiply(t.slice(a, dim, j, j + 1, 1), t.slice(b, dim, k, k + 1, 1)),
              t.multiply(t.slice(a, dim, k, k + 1, 1), t.slice(b, dim, j, j + 1, 1))));
    }
    return Arg.of(t.builder().concatenate(parts, dim));
  }

  /** {@code beta * self + alpha * product}. */
  private static Arg added(AtenCall call, Tensors t, Value product) {
    ElementType element = Tensors.element(product);
    double alpha = Tensors.toDouble(call.number("alpha"));
    double beta = Tensors.toDouble(call.number("beta"));
    Value scaled = alpha == 1 ? product : Arithmetic.times(t, product, call.number("alpha"));
    if (beta == 0) {
      return Arg.of(scaled);
    }
    Value self = t.convert(call.tensor("self"), element);
    Value base = beta == 1 ? self : Arithmetic.times(t, self, call.number("beta"));
    return Arg.of(t.add(t.broadcast(base, Tensors.dims(product)), scaled));
  }
}
