package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/** Sums and products of all elements up to each. */
final class Cumulative {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
              (call, t) -> running(call, t, ReductionKind.ADD)),
          AtenOp.of(
              "cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor",
              (call, t) -> running(call, t, ReductionKind.MULTIPLY)),
          AtenOp.of("logcumsumexp(Tensor self, int dim) -> Tensor", Cumulative::logSum),
          AtenOp.of(
              "cummax(Tensor self, int dim) -> (Tensor values, Tensor indices)",
              (call, t) -> extreme(call, t, "GE")),
          AtenOp.of(
              "cummin(Tensor self, int dim) -> (Tensor values, Tensor indices)",
              (call, t) -> extreme(call, t, "LE")),
          AtenOp.of(
              "diff(Tensor self, int n=1, int dim=-1, Tensor? prepend=None, Tensor? "
                  + "append=None) -> Tensor",
              Cumulative::diff));

  private Cumulative() {}

  private static Arg running(AtenCall call, Tensors t, ReductionKind kind) {
    Value self = call.tensor("self");
    @Nullable ElementType asked = call.dtype("dtype");
    ElementType own = Tensors.element(self);
    ElementType element =
        asked != null ? asked : own.isInteger() || own.isBool() ? ElementType.I64 : own;
    Value wide = t.convert(self, Promotion.wide(element));
    if (Tensors.rank(self) == 0) {
      return Arg.of(t.convert(wide, element));
    }
    int dim = call.dim("dim", Tensors.rank(self));
    return Arg.of(t.convert(running(t, wide, dim, kind), element));
  }

  /** Returns the sum of all elements up to each along {@code dim}. */
  static Value sum(Tensors t, Value value, int dim) {
    return running(t, value, dim, ReductionKind.ADD);
  }

  /** Folds windows that end at each element: what is before the first is padding. */
  private static Value running(Tensors t, Value value, int dim, ReductionKind kind) {
    int rank = Tensors.rank(value);
    long size = Tensors.dims(value)[dim];
    if (size == 0) {
      return value;
    }
    long[] window = new long[rank];
    java.util.Arrays.fill(window, 1);
    window[dim] = size;
    LiteralBuilder padding = new LiteralBuilder(TensorType.of(ElementType.I64, rank, 2));
    padding.setLong(2 * dim, size - 1);
    ElementType element = Tensors.element(value);
    Literal start = kind.identity(element);
    return t.op(
            "stablehlo.reduce_window",
            ImmutableList.of(value, t.builder().constant(start)),
            ImmutableList.of(value.type()),
            Attributes.builder()
                .put("padding", Attribute.Dense.of(padding.build()))
                .put("window_dimensions", Attribute.Longs.of(window))
                .build(),
            t.builder().reducer(kind, element))
        .get(0);
  }

  private static Arg logSum(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    Value wide = t.wide(self);
    Value largest = t.reduce(ReductionKind.MAXIMUM, wide, dim);
    Value base = t.broadcastAlong(largest, Tensors.type(wide), dim);
    Value total = sum(t, t.unary("stablehlo.exponential", t.subtract(wide, base)), dim);
    Value result = t.add(t.unary("stablehlo.log", total), base);
    return Arg.of(t.convert(result, Tensors.element(self)));
  }

  /** The extreme so far and where it stands, the last of equal ones, from all pairs of places. */
  private static Arg extreme(AtenCall call, Tensors t, String direction) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    boolean largest = direction.equals("GE");
    ReductionKind kind = largest ? ReductionKind.MAXIMUM : ReductionKind.MINIMUM;
    Value values = running(t, self, dim, kind);
    // Place j is a candidate for place i when it is not behind it and has the extreme's value.
    int rank = Tensors.rank(self);
    long size = Tensors.dims(self)[dim];
    long[] dims = java.util.Arrays.copyOf(Tensors.dims(self), rank + 1);
    dims[rank] = size;
    TensorType type = Tensors.type(self).withDims(dims);
    Value candidates =
        t.builder()
            .broadcastInDim(
                self,
                type,
                java.util.stream.IntStream.range(0, rank)
                    .mapToLong(i -> i == dim ? rank : i)
                    .toArray());
    Value reached = t.broadcast(Shapes.withOne(t, values, rank), dims);
    TensorType places = type.withElement(ElementType.I64);
    Value from = t.iota(places, rank);
    Value fits =
        t.and(t.compare("EQ", candidates, reached), t.compare("LE", from, t.iota(places, dim)));
    Value last = t.reduce(ReductionKind.MAXIMUM, t.select(fits, from, t.like(from, 0)), rank);
    return Arg.items(ImmutableList.of(Arg.of(values), Arg.of(last)));
  }

  private static Arg diff(AtenCall call, Tensors t) {
    if (call.has("prepend") || call.has("append")) {
      throw call.unsupported("prepend and append");
    }
    Value value = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(value));
    for (long i = 0; i < call.integer("n"); i++) {
      long size = Tensors.dims(value)[dim];
      value =
          t.subtract(
              t.slice(value, dim, Math.min(1, size), size, 1),
              t.slice(value, dim, 0, Math.max(0, size - 1), 1));
    }
    return Arg.of(value);
  }
}
