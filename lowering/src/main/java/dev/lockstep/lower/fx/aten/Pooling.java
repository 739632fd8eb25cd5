package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Maxima and means over windows, and their gradients. */
final class Pooling {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "max_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
                  + "padding=[0], int[1] dilation=[1], bool ceil_mode=False) -> Tensor",
              Pooling::maximum),
          AtenOp.of(
              "max_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
                  + "padding=0, int[2] dilation=1, bool ceil_mode=False) -> Tensor",
              Pooling::maximum),
          AtenOp.of(
              "max_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
                  + "padding=0, int[3] dilation=1, bool ceil_mode=False) -> Tensor",
              Pooling::maximum),
          AtenOp.of(
              "max_pool2d_with_indices(Tensor self, int[2] kernel_size, int[2] stride=[], "
                  + "int[2] padding=0, int[2] dilation=1, bool ceil_mode=False) -> (Tensor, "
                  + "Tensor)",
              Pooling::withIndices),
          AtenOp.of(
              "max_pool3d_with_indices(Tensor self, int[3] kernel_size, int[3] stride=[], "
                  + "int[3] padding=0, int[3] dilation=1, bool ceil_mode=False) -> (Tensor, "
                  + "Tensor)",
              Pooling::withIndices),
          AtenOp.of(
              "max_pool2d_with_indices_backward(Tensor grad_output, Tensor self, int[2] "
                  + "kernel_size, int[2] stride, int[2] padding, int[2] dilation, bool "
                  + "ceil_mode, Tensor indices) -> Tensor",
              Pooling::maximumBackward),
          AtenOp.of(
              "avg_pool1d(Tensor self, int[1] kernel_size, int[1] stride=[], int[1] "
                  + "padding=[0], bool ceil_mode=False, bool count_include_pad=True) -> Tensor",
              Pooling::mean),
          AtenOp.of(
              "avg_pool2d(Tensor self, int[2] kernel_size, int[2] stride=[], int[2] "
                  + "padding=0, bool ceil_mode=False, bool count_include_pad=True, int? "
                  + "divisor_override=None) -> Tensor",
              Pooling::mean),
          AtenOp.of(
              "avg_pool3d(Tensor self, int[3] kernel_size, int[3] stride=[], int[3] "
                  + "padding=0, bool ceil_mode=False, bool count_include_pad=True, int? "
                  + "divisor_override=None) -> Tensor",
              Pooling::mean),
          AtenOp.of(
              "avg_pool2d_backward(Tensor grad_output, Tensor self, int[2] kernel_size, "
                  + "int[2] stride, int[2] padding, bool ceil_mode, bool count_include_pad, int? "
                  + "divisor_override) -> Tensor",
              Pooling::meanBackward),
          AtenOp.of(
              "adaptive_avg_pool1d(Tensor self, int[1] output_size) -> Tensor", Pooling::adaptive),
          AtenOp.of(
              "adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
              Pooling::adaptive),
          AtenOp.of(
              "_adaptive_avg_pool2d(Tensor self, SymInt[2] output_size) -> Tensor",
              Pooling::adaptive),
          AtenOp.of(
              "adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
              Pooling::adaptive),
          AtenOp.of(
              "_adaptive_avg_pool3d(Tensor self, SymInt[3] output_size) -> Tensor",
              Pooling::adaptive),
          AtenOp.of(
              "_adaptive_avg_pool2d_backward(Tensor grad_output, Tensor self) -> Tensor",
              Pooling::adaptiveBackward));

  private Pooling() {}

  /** A window over the last dimensions. */
  private record Window(long[] size, long[] stride, long[] low, long[] high, long[] dilation) {}

  private static long[] each(AtenCall call, String name, int n, long[] fallback) {
    if (call.schema().parameter(name) == null) {
      return fallback;
    }
    long[] given = call.integers(name);
    if (given.length == 0) {
      return fallback;
    }
    if (given.length == n) {
      return given;
    }
    long[] out = new long[n];
    Arrays.fill(out, given[0]);
    return out;
  }

  private static int dimensions(AtenCall call) {
    return call.name().contains("1d") ? 1 : call.name().contains("2d") ? 2 : 3;
  }

  private static Window window(AtenCall call, long[] input) {
    int n = dimensions(call);
    long[] ones = new long[n];
    Arrays.fill(ones, 1);
    long[] size = each(call, "kernel_size", n, ones);
    long[] stride = each(call, "stride", n, size);
    long[] padding = each(call, "padding", n, new long[n]);
    long[] dilation = each(call, "dilation", n, ones);
    long[] high = padding.clone();
    for (int i = 0; i < n && call.flag("ceil_mode"); i++) {
      long in = input[input.length - n + i];
      long reach = dilation[i] * (size[i] - 1) + 1;
      long room = in + 2 * padding[i] - reach;
      long count = Math.floorDiv(room + stride[i] - 1, stride[i]) + 1;
      // The last window must begin inside of the input or its left padding.
      count -= (count - 1) * stride[i] >= in + padding[i] ? 1 : 0;
      high[i] = Math.max(padding[i], (count - 1) * stride[i] + reach - in - padding[i]);
    }
    return new Window(size, stride, padding, high, dilation);
  }

  private static Attributes attributes(Window w, int rank) {
    LiteralBuilder padding = new LiteralBuilder(TensorType.of(ElementType.I64, rank, 2));
    int n = w.size().length;
    for (int i = 0; i < n; i++) {
      padding.setLong(2 * (rank - n + i), w.low()[i]);
      padding.setLong(2 * (rank - n + i) + 1, w.high()[i]);
    }
    return Attributes.builder()
        .put("padding", Attribute.Dense.of(padding.build()))
        .put("window_dilations", Attribute.Longs.of(leading(w.dilation(), rank)))
        .put("window_dimensions", Attribute.Longs.of(leading(w.size(), rank)))
        .put("window_strides", Attribute.Longs.of(leading(w.stride(), rank)))
        .build();
  }

  private static long[] leading(long[] last, int rank) {
    long[] out = new long[rank];
    Arrays.fill(out, 1);
    System.arraycopy(last, 0, out, rank - last.length, last.length);
    return out;
  }

  private static long[] result(long[] input, Window w) {
    long[] out = input.clone();
    int n = w.size().length;
    for (int i = 0; i < n; i++) {
      int dim = input.length - n + i;
      long reach = w.dilation()[i] * (w.size()[i] - 1) + 1;
      long room = input[dim] + w.low()[i] + w.high()[i] - reach;
      if (room < 0) {
        throw new Tensors.ShapeMismatch(
            "a window of " + reach + " is larger than dimension " + dim + ", " + input[dim]);
      }
      out[dim] = room / w.stride()[i] + 1;
    }
    return out;
  }

  private static Value folded(Tensors t, Value value, Window w, ReductionKind kind) {
    ElementType element = Tensors.element(value);
    return t.op(
            "stablehlo.reduce_window",
            ImmutableList.of(value, t.builder().constant(kind.identity(element))),
            ImmutableList.of(Tensors.type(value).withDims(result(Tensors.dims(value), w))),
            attributes(w, Tensors.rank(value)),
            t.builder().reducer(kind, element))
        .get(0);
  }

  private static Arg maximum(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    return Arg.of(folded(t, self, window(call, Tensors.dims(self)), ReductionKind.MAXIMUM));
  }

  /** The largest element of each window, and its place in the flattened plane. */
  private static Arg withIndices(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Window w = window(call, Tensors.dims(self));
    TensorType type = Tensors.type(self);
    TensorType places = type.withElement(ElementType.I64);
    int n = w.size().length;
    Value numbers = t.full(places, 0L);
    for (int i = type.rank() - n; i < type.rank(); i++) {
      numbers = t.add(t.multiply(numbers, t.full(places, type.dim(i))), t.iota(places, i));
    }
    TensorType out = type.withDims(result(Tensors.dims(self), w));
    ImmutableList<Value> results =
        t.op(
            "stablehlo.reduce_window",
            ImmutableList.of(
                self,
                numbers,
                t.builder().constant(ReductionKind.MAXIMUM.identity(type.element())),
                t.full(TensorType.of(ElementType.I64), Long.MAX_VALUE)),
            ImmutableList.of(out, out.withElement(ElementType.I64)),
            attributes(w, type.rank()),
            larger(t, type.element()));
    return Arg.items(List.of(Arg.of(results.get(0)), Arg.of(results.get(1))));
  }

  private static Region larger(Tensors t, ElementType element) {
    TensorType scalar = TensorType.of(element);
    TensorType number = TensorType.of(ElementType.I64);
    Value a = new Value(scalar);
    Value x = new Value(number);
    Value b = new Value(scalar);
    Value y = new Value(number);
    return t.nestedAll(
        ImmutableList.of(a, x, b, y),
        () -> {
          Value first =
              t.or(t.compare("GT", a, b), t.and(t.compare("EQ", a, b), t.compare("LT", x, y)));
          Value chosen = element.isFloat() ? t.or(first, t.compare("NE", a, a)) : first;
          return ImmutableList.of(t.select(chosen, a, b), t.select(chosen, x, y));
        });
  }

  private static Arg maximumBackward(AtenCall call, Tensors t) {
    Value grad = call.tensor("grad_output");
    long[] dims = Tensors.dims(call.tensor("self"));
    int n = dimensions(call);
    long planes = 1;
    for (int i = 0; i < dims.length - n; i++) {
      planes *= dims[i];
    }
    long plane = call.type("self").count() / Math.max(planes, 1);
    long each = Tensors.type(grad).count() / Math.max(planes, 1);
    Value index = t.reshape(call.tensor("indices"), planes, each);
    Value zeros = t.full(Tensors.type(grad).withDims(planes, plane), 0.0);
    Value places = Indexing.elementPlaces(t, index, 1, plane);
    Value sum = Gathers.scatter(t, zeros, places, t.reshape(grad, planes, each), t::add);
    return Arg.of(t.reshape(sum, dims));
  }

  /** Returns by how much the sum of each window is divided. */
  private static Value divisor(AtenCall call, Tensors t, TensorType type, Window w) {
    boolean padded = call.flag("count_include_pad");
    boolean set =
        call.schema().parameter("divisor_override") != null && call.has("divisor_override");
    TensorType out = type.withDims(result(type.dims().toArray(), w));
    if (set) {
      return t.full(out, (double) call.integer("divisor_override"));
    }
    Value ones = t.full(type, 1.0);
    if (!padded) {
      return folded(t, ones, w, ReductionKind.ADD);
    }
    // Padding counts, what windows reach beyond it does not.
    int n = w.size().length;
    long[] low = new long[type.rank()];
    long[] rest = new long[n];
    for (int i = 0; i < n; i++) {
      low[type.rank() - n + i] = w.low()[i];
      rest[i] = w.high()[i] - w.low()[i];
    }
    Value one = t.full(TensorType.of(type.element()), 1.0);
    Value wide = t.builder().pad(ones, one, low, low);
    return folded(
        t,
        wide,
        new Window(w.size(), w.stride(), new long[n], rest, w.dilation()),
        ReductionKind.ADD);
  }

  private static Arg mean(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value x = t.wide(self);
    Window w = window(call, Tensors.dims(self));
    Value sum = folded(t, x, w, ReductionKind.ADD);
    Value mean = t.divide(sum, divisor(call, t, Tensors.type(x), w));
    return Arg.of(t.convert(mean, Tensors.element(self)));
  }

  /** Each element gets its part of the gradient of every window that it was in. */
  private static Arg meanBackward(AtenCall call, Tensors t) {
    Value grad = call.tensor("grad_output");
    TensorType input = call.type("self");
    Window w = window(call, input.dims().toArray());
    Value part = t.divide(grad, divisor(call, t, input, w));
    int rank = input.rank();
    int n = w.size().length;
    long[] low = new long[rank];
    long[] high = new long[rank];
    long[] between = new long[rank];
    for (int i = 0; i < n; i++) {
      int dim = rank - n + i;
      low[dim] = w.size()[i] - 1 - w.low()[i];
      between[dim] = w.stride()[i] - 1;
      long spread = (Tensors.dims(grad)[dim] - 1) * w.stride()[i] + 1;
      high[dim] = input.dim(dim) + w.size()[i] - 1 - spread - low[dim];
    }
    Value zero = t.full(TensorType.of(input.element()), 0.0);
    Value wide = t.builder().pad(part, zero, low, high, between);
    long[] ones = new long[n];
    Arrays.fill(ones, 1);
    return Arg.of(
        folded(
            t,
            wide,
            new Window(w.size(), ones, new long[n], new long[n], ones),
            ReductionKind.ADD));
  }

  /** Returns the matrix that averages {@code in} elements into {@code out}. */
  private static Value averages(Tensors t, ElementType element, long in, long out) {
    LiteralBuilder matrix = new LiteralBuilder(TensorType.of(element, in, out));
    for (long i = 0; i < out; i++) {
      long begin = i * in / out;
      long end = ((i + 1) * in + out - 1) / out;
      for (long k = begin; k < end; k++) {
        matrix.setDouble((int) (k * out + i), 1.0 / (end - begin));
      }
    }
    return t.builder().constant(matrix.build());
  }

  /** One number stands for all dimensions. */
  private static ImmutableList<Arg> sizes(AtenCall call, int n) {
    Arg given = call.arg("output_size");
    ImmutableList<Arg> list =
        given instanceof Arg.Items items ? items.elements() : ImmutableList.of(given);
    if (list.size() != 1 && list.size() != n) {
      throw call.error("output_size has " + list.size() + " entries, must be " + n);
    }
    return list.size() == n ? list : ImmutableList.copyOf(Collections.nCopies(n, list.get(0)));
  }

  private static Arg adaptive(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int n = dimensions(call);
    Value out = t.wide(self);
    ImmutableList<Arg> sizes = sizes(call, n);
    for (int i = 0; i < n; i++) {
      int dim = Tensors.rank(self) - n + i;
      long in = Tensors.dims(self)[dim];
      long size = sizes.get(i) instanceof Arg.Whole whole ? whole.value() : in;
      out = Resizing.along(t, out, averages(t, Tensors.element(out), in, size), dim);
    }
    return Arg.of(t.convert(out, Tensors.element(self)));
  }

  private static Arg adaptiveBackward(AtenCall call, Tensors t) {
    Value grad = call.tensor("grad_output");
    Value self = call.tensor("self");
    Value out = t.wide(grad);
    for (int dim = Tensors.rank(self) - 2; dim < Tensors.rank(self); dim++) {
      long in = Tensors.dims(self)[dim];
      long size = Tensors.dims(grad)[dim];
      Value matrix = averages(t, Tensors.element(out), in, size);
      out = Resizing.along(t, out, t.swap(matrix, 0, 1), dim);
    }
    return Arg.of(t.convert(out, Tensors.element(grad)));
  }
}
