package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Windows that run along a dimension, and memory that is read by strides. */
final class Windows {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.view(
              "unfold(Tensor(a) self, int dimension, int size, int step) -> Tensor(a)",
              Windows::unfold),
          AtenOp.view(
              "as_strided(Tensor(a) self, SymInt[] size, SymInt[] stride, SymInt? "
                  + "storage_offset=None) -> Tensor(a)",
              Windows::asStrided),
          AtenOp.of(
              "unfold_backward(Tensor grad_in, SymInt[] input_sizes, int dim, int size, "
                  + "int step) -> Tensor",
              Windows::unfoldBackward));

  private Windows() {}

  /** Returns windows along a dimension as a new last dimension. */
  private static Arg unfold(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dimension", Tensors.rank(self));
    Value places = windows(t, Tensors.dims(self)[dim], call.integer("size"), call.integer("step"));
    Value front = Slices.toFront(t, self, dim);
    int rank = Tensors.rank(self);
    Value taken = Gathers.rows(t, front, Shapes.withOne(t, places, 2));
    // Now: windows, places in the window, the other dimensions.
    long[] order = new long[rank + 1];
    int other = 2;
    for (int i = 0; i < rank; i++) {
      order[i] = i == dim ? 0 : other++;
    }
    order[rank] = 1;
    return Arg.of(t.transpose(taken, order));
  }

  private static Value windows(Tensors t, long size, long width, long step) {
    long count = (size - width) / step + 1;
    TensorType type = TensorType.of(ElementType.I64, count, width);
    Value begins = t.multiply(t.iota(type, 0), t.full(type, step));
    return t.add(begins, t.iota(type, 1));
  }

  private static Arg unfoldBackward(AtenCall call, Tensors t) {
    Value grad = call.tensor("grad_in");
    long[] sizes = call.integers("input_sizes");
    int dim = call.dim("dim", sizes.length);
    Value places = windows(t, sizes[dim], call.integer("size"), call.integer("step"));
    int rank = sizes.length;
    long[] order = new long[rank + 1];
    order[0] = dim;
    order[1] = rank;
    for (int i = 0, at = 2; i < rank; i++) {
      if (i != dim) {
        order[at++] = i;
      }
    }
    Value updates = t.transpose(grad, order);
    long[] front = new long[rank];
    front[0] = sizes[dim];
    System.arraycopy(Tensors.without(sizes, dim), 0, front, 1, rank - 1);
    Value zeros = t.full(Tensors.type(grad).withDims(front), 0.0);
    Value sum = Gathers.scatter(t, zeros, Shapes.withOne(t, places, 2), updates, t::add);
    return Arg.of(Slices.fromFront(t, sum, dim));
  }

  /** Reads memory as torch lays it out; right where the tensor itself lies in row-major order. */
  private static Arg asStrided(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] size = call.integers("size");
    long[] stride = call.integers("stride");
    long offset = call.has("storage_offset") ? call.integer("storage_offset") : 0;
    if (size.length != stride.length) {
      throw call.error("has " + size.length + " sizes and " + stride.length + " strides");
    }
    if (call.cell("self").root() != call.cell("self")) {
      throw call.unsupported("takes a view, whose layout in memory the text does not show");
    }
    long last = offset;
    TensorType type = TensorType.of(ElementType.I64, size);
    Value places = t.full(type, offset);
    for (int i = 0; i < size.length; i++) {
      last += (size[i] - 1) * stride[i];
      places = t.add(places, t.multiply(t.iota(type, i), t.full(type, stride[i])));
    }
    long count = Tensors.type(self).count();
    if (last >= count && type.count() > 0) {
      throw call.error("reads element " + last + " of " + count);
    }
    Value flat = t.reshape(self, count);
    return Arg.of(Gathers.rows(t, flat, Shapes.withOne(t, places, size.length)));
  }
}
