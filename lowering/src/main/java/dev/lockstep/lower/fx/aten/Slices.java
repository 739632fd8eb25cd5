package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Parts of tensors at places that the text says, and tensors with such parts replaced. */
final class Slices {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.view(
              "slice.Tensor(Tensor(a) self, int dim=0, SymInt? start=None, SymInt? "
                  + "end=None, SymInt step=1) -> Tensor(a)",
              Slices::slice),
          AtenOp.view(
              "select.int(Tensor(a) self, int dim, SymInt index) -> Tensor(a)", Slices::select),
          AtenOp.view(
              "narrow(Tensor(a) self, int dim, SymInt start, SymInt length) -> Tensor(a)",
              Slices::narrow),
          AtenOp.view(
              "split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor(a)[]",
              (call, t) -> split(call, t, "split_size")),
          AtenOp.view(
              "unsafe_split.Tensor(Tensor self, SymInt split_size, int dim=0) -> Tensor[]",
              (call, t) -> split(call, t, "split_size")),
          AtenOp.view(
              "split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> " + "Tensor(a)[]",
              Slices::splitSizes),
          AtenOp.view(
              "split.sizes(Tensor self, SymInt[] split_size, int dim=0) -> Tensor(a)[]",
              Slices::splitSizes),
          AtenOp.view(
              "unsafe_split_with_sizes(Tensor self, SymInt[] split_sizes, int dim=0) -> "
                  + "Tensor[]",
              Slices::splitSizes),
          AtenOp.view("chunk(Tensor self, int chunks, int dim=0) -> Tensor(a)[]", Slices::chunk),
          AtenOp.view("unbind.int(Tensor self, int dim=0) -> Tensor(a)[]", Slices::unbind),
          AtenOp.of(
              "slice_scatter(Tensor self, Tensor src, int dim=0, SymInt? start=None, "
                  + "SymInt? end=None, SymInt step=1) -> Tensor",
              Slices::sliceScatter),
          AtenOp.of(
              "select_scatter(Tensor self, Tensor src, int dim, SymInt index) -> Tensor",
              Slices::selectScatter),
          AtenOp.of(
              "slice_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt "
                  + "start, SymInt end, SymInt step) -> Tensor",
              Slices::sliceBackward),
          AtenOp.of(
              "select_backward(Tensor grad_output, SymInt[] input_sizes, int dim, SymInt "
                  + "index) -> Tensor",
              Slices::selectBackward),
          AtenOp.of(
              "constant_pad_nd(Tensor self, SymInt[] pad, Scalar value=0) -> Tensor", Slices::pad),
          AtenOp.of(
              "pad(Tensor self, SymInt[] pad, str mode='constant', float? value=None) -> "
                  + "Tensor",
              Slices::padMode),
          AtenOp.of("broadcast_tensors(Tensor[] tensors) -> Tensor[]", Slices::broadcastTensors),
          AtenOp.of(
              "meshgrid.indexing(Tensor[] tensors, *, str indexing) -> Tensor[]",
              Slices::meshgrid));

  private Slices() {}

  /** The part of a dimension that a slice means. */
  private record Part(long begin, long end, long step) {}

  private static Part part(AtenCall call, long size) {
    long step = call.integer("step");
    if (step < 1) {
      throw call.error("step is " + step + ", must be positive");
    }
    long begin = call.has("start") ? clamped(call.integer("start"), size) : 0;
    long end = call.has("end") ? clamped(call.integer("end"), size) : size;
    return new Part(begin, Math.max(begin, end), step);
  }

  private static long clamped(long place, long size) {
    return Math.max(0, Math.min(size, place < 0 ? place + size : place));
  }

  private static Arg slice(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    Part part = part(call, Tensors.dims(self)[dim]);
    return Arg.of(t.slice(self, dim, part.begin(), part.end(), part.step()));
  }

  private static Arg select(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    return Arg.of(selected(call, t, self, dim, call.integer("index")));
  }

  private static long place(AtenCall call, long index, long size) {
    if (index < -size || index >= size) {
      throw call.error("index " + index + " is outside of " + size + " elements");
    }
    return index < 0 ? index + size : index;
  }

  private static Value selected(AtenCall call, Tensors t, Value value, int dim, long index) {
    long at = place(call, index, Tensors.dims(value)[dim]);
    Value one = t.slice(value, dim, at, at + 1, 1);
    return t.reshape(one, Tensors.without(Tensors.dims(one), dim));
  }

  private static Arg narrow(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    long size = Tensors.dims(self)[dim];
    long start = clamped(call.integer("start"), size);
    long end = start + call.integer("length");
    if (end > size) {
      throw call.error("ends at " + end + " of " + size + " elements");
    }
    return Arg.of(t.slice(self, dim, start, end, 1));
  }

  private static Arg parts(Tensors t, Value value, int dim, List<Long> sizes) {
    List<Arg> out = new ArrayList<>();
    long begin = 0;
    for (long size : sizes) {
      out.add(Arg.of(t.slice(value, dim, begin, begin + size, 1)));
      begin += size;
    }
    return Arg.items(out);
  }

  private static Arg split(AtenCall call, Tensors t, String name) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    long step = call.integer(name);
    return everyOf(call, t, self, dim, step);
  }

  private static Arg everyOf(AtenCall call, Tensors t, Value self, int dim, long step) {
    long size = Tensors.dims(self)[dim];
    if (step < 1 && size > 0) {
      throw call.error("cannot divide " + size + " elements into parts of " + step);
    }
    List<Long> sizes = new ArrayList<>();
    for (long begin = 0; begin < size || sizes.isEmpty(); begin += step) {
      sizes.add(Math.min(step, size - begin));
    }
    return parts(t, self, dim, sizes);
  }

  private static Arg splitSizes(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    String name = call.schema().parameters().get(1).name();
    List<Long> sizes = Arrays.stream(call.integers(name)).boxed().toList();
    long sum = sizes.stream().mapToLong(Long::longValue).sum();
    if (sum != Tensors.dims(self)[dim]) {
      throw call.error(
          sizes + " adds up to " + sum + ", not to " + Tensors.dims(self)[dim] + " elements");
    }
    return parts(t, self, dim, sizes);
  }

  private static Arg chunk(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    long chunks = call.integer("chunks");
    if (chunks < 1) {
      throw call.error("chunks is " + chunks);
    }
    long size = Tensors.dims(self)[dim];
    return everyOf(call, t, self, dim, Math.max(1, (size + chunks - 1) / chunks));
  }

  private static Arg unbind(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    List<Arg> out = new ArrayList<>();
    for (long i = 0; i < Tensors.dims(self)[dim]; i++) {
      out.add(Arg.of(selected(call, t, self, dim, i)));
    }
    return Arg.items(out);
  }

  /** Returns {@code value} with {@code dim} as its first dimension. */
  static Value toFront(Tensors t, Value value, int dim) {
    long[] order = new long[Tensors.rank(value)];
    order[0] = dim;
    for (int i = 0, at = 1; i < order.length; i++) {
      if (i != dim) {
        order[at++] = i;
      }
    }
    return t.transpose(value, order);
  }

  /** Returns {@code value} with its first dimension as dimension {@code dim}. */
  static Value fromFront(Tensors t, Value value, int dim) {
    long[] order = new long[Tensors.rank(value)];
    for (int i = 0; i < order.length; i++) {
      order[i] = i == dim ? 0 : i < dim ? i + 1 : i;
    }
    return t.transpose(value, order);
  }

  private static Arg sliceScatter(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    Part part = part(call, Tensors.dims(self)[dim]);
    Value source = t.convert(call.tensor("src"), Tensors.element(self));
    return Arg.of(put(call, t, self, source, dim, part));
  }

  private static Value put(AtenCall call, Tensors t, Value self, Value source, int dim, Part part) {
    long[] expected = Tensors.dims(self).clone();
    expected[dim] = (part.end() - part.begin() + part.step() - 1) / part.step();
    if (!Arrays.equals(expected, Tensors.dims(source))) {
      throw call.error(source.type() + " does not fit into " + Arrays.toString(expected));
    }
    return with(t, self, source, dim, part.begin(), part.end(), part.step());
  }

  /** Returns {@code self} with every {@code step}th place of a dimension from {@code source}. */
  static Value with(Tensors t, Value self, Value source, int dim, long begin, long end, long step) {
    Part part = new Part(begin, end, step);
    long count = Tensors.dims(source)[dim];
    if (count == 0) {
      return self;
    }
    if (part.step() == 1 && count == Tensors.dims(self)[dim]) {
      return source;
    }
    Value wide = spread(t, source, dim, part, Tensors.dims(self)[dim]);
    TensorType numbers = Tensors.type(self).withElement(ElementType.I64);
    Value at = t.subtract(t.iota(numbers, dim), t.full(numbers, part.begin()));
    Value rest = t.binary("stablehlo.remainder", at, t.full(numbers, part.step()));
    Value inside =
        t.and(
            t.compare("EQ", rest, t.full(numbers, 0L)),
            t.and(
                t.compare("GE", at, t.full(numbers, 0L)),
                t.compare("LT", at, t.full(numbers, part.end() - part.begin()))));
    return t.select(inside, wide, self);
  }

  /** Returns {@code self} with the part that a call of {@code slice} means replaced. */
  static Value withSlice(AtenCall call, Tensors t, Value self, Value source) {
    int dim = call.dim("dim", Tensors.rank(self));
    Part part = part(call, Tensors.dims(self)[dim]);
    return with(t, self, source, dim, part.begin(), part.end(), part.step());
  }

  /** Returns {@code source} laid out over {@code size} places, zeros between. */
  private static Value spread(Tensors t, Value source, int dim, Part part, long size) {
    int rank = Tensors.rank(source);
    long[] low = new long[rank];
    long[] high = new long[rank];
    long[] between = new long[rank];
    long count = Tensors.dims(source)[dim];
    low[dim] = part.begin();
    between[dim] = part.step() - 1;
    high[dim] = size - part.begin() - ((count - 1) * part.step() + 1);
    Value zero = t.full(TensorType.of(Tensors.element(source)), 0L);
    return t.builder().pad(source, zero, low, high, between);
  }

  private static Arg selectScatter(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    long at = place(call, call.integer("index"), Tensors.dims(self)[dim]);
    Value source = t.convert(call.tensor("src"), Tensors.element(self));
    return Arg.of(put(call, t, self, Shapes.withOne(t, source, dim), dim, new Part(at, at + 1, 1)));
  }

  private static Arg sliceBackward(AtenCall call, Tensors t) {
    Value grad = call.tensor("grad_output");
    long[] sizes = call.integers("input_sizes");
    int dim = call.dim("dim", sizes.length);
    long size = sizes[dim];
    long begin = clamped(call.integer("start"), size);
    Part part =
        new Part(begin, Math.max(begin, clamped(call.integer("end"), size)), call.integer("step"));
    return Arg.of(
        Tensors.dims(grad)[dim] == 0
            ? t.full(Tensors.type(grad).withDims(sizes), 0.0)
            : spread(t, grad, dim, part, size));
  }

  private static Arg selectBackward(AtenCall call, Tensors t) {
    Value grad = call.tensor("grad_output");
    long[] sizes = call.integers("input_sizes");
    int dim = call.dim("dim", sizes.length);
    long at = place(call, call.integer("index"), sizes[dim]);
    Value one = Shapes.withOne(t, grad, dim);
    return Arg.of(spread(t, one, dim, new Part(at, at + 1, 1), sizes[dim]));
  }

  private static Arg pad(AtenCall call, Tensors t) {
    return Arg.of(padded(call, t, call.number("value")));
  }

  private static Value padded(AtenCall call, Tensors t, Arg filler) {
    Value self = call.tensor("self");
    long[] pad = call.integers("pad");
    int rank = Tensors.rank(self);
    if (pad.length % 2 != 0 || pad.length > 2 * rank) {
      throw call.error("pad has " + pad.length + " entries for " + rank + " dimensions");
    }
    long[] low = new long[rank];
    long[] high = new long[rank];
    for (int i = 0; i < pad.length / 2; i++) {
      low[rank - 1 - i] = pad[2 * i];
      high[rank - 1 - i] = pad[2 * i + 1];
    }
    return t.builder().pad(self, t.full(TensorType.of(Tensors.element(self)), filler), low, high);
  }

  private static Arg padMode(AtenCall call, Tensors t) {
    if (!call.text("mode").equals("constant")) {
      return Resizing.padded(call, t, "pad", call.text("mode"));
    }
    return Arg.of(padded(call, t, call.has("value") ? call.number("value") : new Arg.Whole(0)));
  }

  private static Arg broadcastTensors(AtenCall call, Tensors t) {
    ImmutableList<Value> all = call.tensors("tensors");
    long[] dims = Tensors.broadcastDims(all.toArray(new Value[0]));
    return Arg.items(all.stream().map(value -> Arg.of(t.broadcast(value, dims))).toList());
  }

  private static Arg meshgrid(AtenCall call, Tensors t) {
    ImmutableList<Value> all = call.tensors("tensors");
    long[] dims = all.stream().mapToLong(value -> Tensors.type(value).count()).toArray();
    boolean exchanged = call.text("indexing").equals("xy") && dims.length > 1;
    List<Arg> out = new ArrayList<>();
    for (int i = 0; i < dims.length; i++) {
      Value flat = t.reshape(all.get(i), dims[i]);
      Value grid = t.builder().broadcastInDim(flat, Tensors.type(flat).withDims(dims), i);
      out.add(Arg.of(exchanged ? t.swap(grid, 0, 1) : grid));
    }
    return Arg.items(out);
  }
}
