package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Operators that are a few others in a row. */
final class Composites {
  private static final double LN2 = Math.log(2);

  static final ImmutableList<AtenOp> OPS =
      ImmutableList.<AtenOp>of(
          AtenOp.of(
              "std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool"
                  + " keepdim=False) -> (Tensor, Tensor)",
              Composites::stdMean),
          AtenOp.of(
              "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
              Composites::histogram),
          AtenOp.of(
              "ldexp.Tensor(Tensor self, Tensor other) -> Tensor",
              (call, t) ->
                  Arithmetic.joined(
                      call,
                      t,
                      true,
                      (a, b) -> t.multiply(a, t.binary("stablehlo.power", t.like(b, 2), b)))),
          AtenOp.of(
              "logaddexp2(Tensor self, Tensor other) -> Tensor",
              (call, t) -> Arithmetic.joined(call, t, true, (a, b) -> logAddExp2(t, a, b))),
          AtenOp.of(
              "dist(Tensor self, Tensor other, Scalar p=2) -> Tensor",
              (call, t) -> {
                Arg apart = with(call, t, "aten.sub.Tensor", call.arg("self"), call.arg("other"));
                return with(call, t, "aten.linalg_vector_norm.default", apart, call.arg("p"));
              }),
          AtenOp.of(
              "vdot(Tensor self, Tensor other) -> Tensor",
              (call, t) -> {
                Arg left = with(call, t, "aten._conj_physical.default", call.arg("self"));
                return with(call, t, "aten.dot.default", left, call.arg("other"));
              }),
          AtenOp.of(
              "addr(Tensor self, Tensor vec1, Tensor vec2, *, Scalar beta=1, Scalar alpha=1) ->"
                  + " Tensor",
              (call, t) -> {
                Arg outer = with(call, t, "aten.outer.default", call.arg("vec1"), call.arg("vec2"));
                return with(
                    call,
                    t,
                    "aten.add.Tensor",
                    with(call, t, "aten.mul.Scalar", call.arg("self"), call.arg("beta")),
                    with(call, t, "aten.mul.Scalar", outer, call.arg("alpha")));
              }),
          AtenOp.of("angle(Tensor self) -> Tensor", Composites::angle),
          AtenOp.of("block_diag(Tensor[] tensors) -> Tensor", Composites::blocks),
          AtenOp.of(
              "_chunk_cat(Tensor[] tensors, int dim, int num_chunks) -> Tensor",
              Composites::chunkCat),
          AtenOp.of(
              "_unsafe_masked_index(Tensor self, Tensor mask, Tensor?[] indices, Scalar fill) ->"
                  + " Tensor",
              (call, t) -> {
                Arg taken =
                    with(
                        call,
                        t,
                        "aten._unsafe_index.Tensor",
                        call.arg("self"),
                        call.arg("indices"));
                Arg missing = with(call, t, "aten.logical_not.default", call.arg("mask"));
                return with(call, t, "aten.masked_fill.Scalar", taken, missing, call.arg("fill"));
              }),
          AtenOp.of(
              "_unsafe_masked_index_put_accumulate(Tensor self, Tensor mask, Tensor?[] indices,"
                  + " Tensor values) -> Tensor",
              (call, t) -> {
                Arg missing = with(call, t, "aten.logical_not.default", call.arg("mask"));
                Arg values =
                    with(
                        call,
                        t,
                        "aten.masked_fill.Scalar",
                        call.arg("values"),
                        missing,
                        new Arg.Whole(0));
                return with(
                    call,
                    t,
                    "aten._unsafe_index_put.default",
                    call.arg("self"),
                    call.arg("indices"),
                    values,
                    new Arg.Flag(true));
              }),
          AtenOp.of(
              "prims::iota(SymInt length, *, SymInt start, SymInt step, ScalarType dtype, Device"
                  + " device, bool requires_grad) -> Tensor",
              Composites::iota),
          AtenOp.view(
              "prims::view_of(Tensor(a) a) -> Tensor", (call, t) -> Arg.of(call.tensor("a"))),
          AtenOp.of(
              "prims::device_put(Tensor a, Device device, bool non_blocking=False) -> Tensor",
              (call, t) -> Arg.of(call.tensor("a"))),
          AtenOp.of(
              "prims::broadcast_in_dim(Tensor(a) a, SymInt[] shape, int[] broadcast_dimensions) ->"
                  + " Tensor(a)",
              Composites::broadcastInDim));

  private Composites() {}

  /** Returns what the operator called {@code name} gives for arguments by place. */
  static Arg with(AtenCall call, Tensors t, String name, Arg... arguments) {
    AtenOp op = Objects.requireNonNull(AtenTable.find(name), name);
    ImmutableMap.Builder<String, Arg> bound = ImmutableMap.builder();
    for (int i = 0; i < arguments.length; i++) {
      bound.put(op.schema().parameters().get(i).name(), arguments[i]);
    }
    AtenCall inner =
        new AtenCall(
            op.schema(), call.location(), bound.buildOrThrow(), call.context(), call.outcome());
    return op.rule().lower(inner, t);
  }

  private static Value value(Arg arg) {
    return ((Arg.Tensor) arg).value();
  }

  private static Arg stdMean(AtenCall call, Tensors t) {
    AtenOp op = Objects.requireNonNull(AtenTable.find("aten.var_mean.correction"));
    AtenCall inner =
        new AtenCall(
            op.schema(), call.location(), call.arguments(), call.context(), call.outcome());
    ImmutableList<Arg> both = ((Arg.Items) op.rule().lower(inner, t)).elements();
    Value variance = value(both.get(0));
    Value root = t.unary("stablehlo.sqrt", t.wide(variance));
    return Arg.items(
        ImmutableList.of(Arg.of(t.convert(root, Tensors.element(variance))), both.get(1)));
  }

  /** Counts what lies in each of bins of equal width; what lies in none does not count. */
  private static Arg histogram(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long bins = call.integer("bins");
    double low = Tensors.toDouble(call.number("min"));
    double high = Tensors.toDouble(call.number("max"));
    long count = Tensors.type(self).count();
    Value flat = t.reshape(t.convert(self, ElementType.F64), count);
    TensorType scalar = TensorType.of(ElementType.F64);
    Value from = t.full(scalar, low);
    Value to = t.full(scalar, high);
    if (low == high && count > 0) {
      // No range was given: that of the elements, or one around their only value.
      from = t.reduce(ReductionKind.MINIMUM, flat, 0);
      to = t.reduce(ReductionKind.MAXIMUM, flat, 0);
      Value none = t.compare("EQ", from, to);
      Value one = t.full(scalar, 1.0);
      from = t.select(none, t.subtract(from, one), from);
      to = t.select(none, t.add(to, one), to);
    }
    Value part = t.divide(t.subtract(flat, from), t.subtract(to, from));
    Value place = t.unary("stablehlo.floor", t.multiply(part, t.full(scalar, (double) bins)));
    Value last = t.minimum(place, t.full(scalar, (double) (bins - 1)));
    Value inside = t.and(t.compare("GE", flat, from), t.compare("LE", flat, to));
    TensorType table = TensorType.of(ElementType.F64, count, bins);
    Value hits =
        t.and(
            t.compare("EQ", t.broadcastAlong(last, table, 1), t.iota(table, 1)),
            t.broadcastAlong(inside, table, 1));
    Value sums = t.reduce(ReductionKind.ADD, t.convert(hits, ElementType.F64), 0);
    return Arg.of(t.convert(sums, Tensors.element(self)));
  }

  private static Value logAddExp2(Tensors t, Value a, Value b) {
    Value larger = t.maximum(a, b);
    Value apart = t.negate(t.unary("stablehlo.abs", t.subtract(a, b)));
    Value power = t.unary("stablehlo.exponential", t.multiply(apart, t.like(apart, LN2)));
    Value sum = t.unary("stablehlo.log_plus_one", power);
    Value result = t.add(larger, t.divide(sum, t.like(sum, LN2)));
    Value same = t.and(t.compare("EQ", a, b), Elementwise.isInfinite(t, a));
    return t.select(same, a, result);
  }

  private static Arg angle(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    if (Tensors.element(self).isComplex()) {
      Arg imaginary = with(call, t, "aten.imag.default", call.arg("self"));
      Arg real = with(call, t, "aten.real.default", call.arg("self"));
      return with(call, t, "aten.atan2.default", imaginary, real);
    }
    ElementType element = Promotion.floating(Tensors.element(self));
    Value x = t.convert(self, element);
    Value turned = t.select(t.compare("LT", x, t.like(x, 0)), t.like(x, Math.PI), t.like(x, 0));
    return Arg.of(t.select(t.compare("NE", x, x), x, turned));
  }

  private static Arg integers(long... values) {
    return Arg.items(Arrays.stream(values).mapToObj(Arg.Whole::new).toList());
  }

  private static Arg blocks(AtenCall call, Tensors t) {
    List<Value> matrices = new ArrayList<>();
    long columns = 0;
    for (Value each : call.tensors("tensors")) {
      long[] dims = Tensors.dims(each);
      Value matrix = dims.length == 2 ? each : t.reshape(each, 1, Tensors.type(each).count());
      matrices.add(matrix);
      columns += Tensors.dims(matrix)[1];
    }
    List<Arg> rows = new ArrayList<>();
    long left = 0;
    for (Value matrix : matrices) {
      long width = Tensors.dims(matrix)[1];
      rows.add(
          with(
              call,
              t,
              "aten.constant_pad_nd.default",
              Arg.of(matrix),
              integers(left, columns - left - width, 0, 0)));
      left += width;
    }
    return with(call, t, "aten.cat.default", Arg.items(rows));
  }

  /** Divides each tensor into chunks, filled up with zeros, and puts those of all side by side. */
  private static Arg chunkCat(AtenCall call, Tensors t) {
    long chunks = call.integer("num_chunks");
    List<Arg> parts = new ArrayList<>();
    int dim = 0;
    for (Value each : call.tensors("tensors")) {
      int rank = Tensors.rank(each);
      dim = call.dim("dim", rank);
      long size = Tensors.dims(each)[dim];
      long[] pad = new long[2 * (rank - dim)];
      pad[pad.length - 1] = (size + chunks - 1) / chunks * chunks - size;
      Value whole =
          value(with(call, t, "aten.constant_pad_nd.default", Arg.of(each), integers(pad)));
      long[] dims = Arrays.copyOf(Tensors.dims(whole), dim + 2);
      dims[dim] = chunks;
      dims[dim + 1] = 1;
      for (int i = dim; i < rank; i++) {
        dims[dim + 1] *= Tensors.dims(whole)[i];
      }
      dims[dim + 1] /= chunks;
      parts.add(Arg.of(t.reshape(whole, dims)));
    }
    return with(call, t, "aten.cat.default", Arg.items(parts), new Arg.Whole(dim + 1L));
  }

  private static Arg iota(AtenCall call, Tensors t) {
    ElementType element = Objects.requireNonNull(call.dtype("dtype"), "dtype");
    Value numbers = t.iota(TensorType.of(element, call.integer("length")), 0);
    Value steps = t.multiply(numbers, t.full(TensorType.of(element), call.integer("step")));
    return Arg.of(t.add(steps, t.full(TensorType.of(element), call.integer("start"))));
  }

  private static Arg broadcastInDim(AtenCall call, Tensors t) {
    Value value = call.tensor("a");
    return Arg.of(
        t.op(
            "stablehlo.broadcast_in_dim",
            Tensors.type(value).withDims(call.integers("shape")),
            Attributes.of(
                "broadcast_dimensions", Attribute.Longs.of(call.integers("broadcast_dimensions"))),
            value));
  }
}
