package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Region;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Orders, the largest elements, and where extremes stand. */
final class Sorting {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "sort(Tensor self, int dim=-1, bool descending=False) -> (Tensor values, "
                  + "Tensor indices)",
              (call, t) -> sorted(call, t, call.flag("descending"))),
          AtenOp.of(
              "sort.stable(Tensor self, *, bool? stable, int dim=-1, bool "
                  + "descending=False) -> (Tensor values, Tensor indices)",
              (call, t) -> sorted(call, t, call.flag("descending"))),
          AtenOp.of(
              "argsort(Tensor self, int dim=-1, bool descending=False) -> Tensor",
              Sorting::argsort),
          AtenOp.of(
              "argsort.stable(Tensor self, *, bool stable, int dim=-1, bool "
                  + "descending=False) -> Tensor",
              Sorting::argsort),
          AtenOp.of(
              "topk(Tensor self, SymInt k, int dim=-1, bool largest=True, bool "
                  + "sorted=True) -> (Tensor values, Tensor indices)",
              Sorting::topk),
          AtenOp.of(
              "kthvalue(Tensor self, SymInt k, int dim=-1, bool keepdim=False) -> (Tensor "
                  + "values, Tensor indices)",
              Sorting::kth),
          AtenOp.of("median(Tensor self) -> Tensor", Sorting::medianOfAll),
          AtenOp.of(
              "median.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, "
                  + "Tensor indices)",
              Sorting::median),
          AtenOp.of(
              "argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
              (call, t) -> place(call, t, true)),
          AtenOp.of(
              "argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
              (call, t) -> place(call, t, false)),
          AtenOp.of(
              "max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
                  + "indices)",
              (call, t) -> extreme(call, t, true)),
          AtenOp.of(
              "min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor "
                  + "indices)",
              (call, t) -> extreme(call, t, false)),
          AtenOp.of(
              "aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, "
                  + "Tensor max)",
              Sorting::both),
          AtenOp.of(
              "searchsorted.Tensor(Tensor sorted_sequence, Tensor self, *, bool "
                  + "out_int32=False, bool right=False, str? side=None, Tensor? sorter=None) -> "
                  + "Tensor",
              Sorting::search),
          AtenOp.of(
              "value_selecting_reduction_backward(Tensor grad, int dim, Tensor indices, "
                  + "SymInt[] sizes, bool keepdim) -> Tensor",
              Sorting::backward),
          AtenOp.of(
              "bincount(Tensor self, Tensor? weights=None, SymInt minlength=0) -> Tensor",
              Sorting::bins));

  private Sorting() {}

  /** A tensor in order, and where its elements were. */
  record Order(Value values, Value places) {}

  /** Returns {@code value} ordered along {@code dim}, equal elements as they were. */
  static Order order(Tensors t, Value value, int dim, boolean descending) {
    if (Tensors.rank(value) == 0) {
      return new Order(value, t.full(Tensors.type(value).withElement(ElementType.I64), 0L));
    }
    TensorType type = Tensors.type(value);
    Value numbers = t.iota(type.withElement(ElementType.I64), dim);
    ImmutableList<Value> sorted =
        t.op(
            "stablehlo.sort",
            ImmutableList.of(value, numbers),
            ImmutableList.of(value.type(), numbers.type()),
            Attributes.of("dimension", Attribute.Int.i64(dim), "is_stable", Attribute.Bool.TRUE),
            before(t, type.element(), descending));
    return new Order(sorted.get(0), sorted.get(1));
  }

  /** Which of two elements goes first; NaN counts as the largest, as in torch. */
  private static Region before(Tensors t, ElementType element, boolean descending) {
    TensorType scalar = TensorType.of(element);
    TensorType number = TensorType.of(ElementType.I64);
    Value a = new Value(scalar);
    Value b = new Value(scalar);
    Value x = new Value(number);
    Value y = new Value(number);
    return t.nested(
        ImmutableList.of(a, b, x, y),
        () -> {
          Value small = descending ? b : a;
          Value large = descending ? a : b;
          Value less = t.compare("LT", small, large);
          if (!element.isFloat()) {
            return less;
          }
          Value nan = t.compare("NE", large, large);
          return t.or(less, t.and(nan, t.compare("EQ", small, small)));
        });
  }

  private static int dim(AtenCall call, Value value) {
    return call.dim("dim", Tensors.rank(value));
  }

  private static Arg sorted(AtenCall call, Tensors t, boolean descending) {
    Value self = call.tensor("self");
    Order order = order(t, self, dim(call, self), descending);
    return Arg.items(ImmutableList.of(Arg.of(order.values()), Arg.of(order.places())));
  }

  private static Arg argsort(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    return Arg.of(order(t, self, dim(call, self), call.flag("descending")).places());
  }

  private static Arg topk(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = dim(call, self);
    long k = call.integer("k");
    if (Tensors.rank(self) > 0 && k > Tensors.dims(self)[dim]) {
      throw call.error("k is " + k + ", dimension " + dim + " has " + Tensors.dims(self)[dim]);
    }
    Order order = order(t, self, dim, call.flag("largest"));
    if (Tensors.rank(self) == 0) {
      return Arg.items(ImmutableList.of(Arg.of(order.values()), Arg.of(order.places())));
    }
    return Arg.items(
        ImmutableList.of(
            Arg.of(t.slice(order.values(), dim, 0, k, 1)),
            Arg.of(t.slice(order.places(), dim, 0, k, 1))));
  }

  private static Arg taken(
      AtenCall call, Tensors t, Order order, int dim, long at, boolean keepdim) {
    ImmutableList.Builder<Arg> out = ImmutableList.builder();
    for (Value value : ImmutableList.of(order.values(), order.places())) {
      if (Tensors.rank(value) == 0) {
        out.add(Arg.of(value));
        continue;
      }
      if (at < 0 || at >= Tensors.dims(value)[dim]) {
        throw call.error("element " + at + " of " + value.type() + " is wanted");
      }
      Value one = t.slice(value, dim, at, at + 1, 1);
      out.add(Arg.of(keepdim ? one : t.reshape(one, Tensors.without(Tensors.dims(one), dim))));
    }
    return Arg.items(out.build());
  }

  private static Arg kth(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = dim(call, self);
    Order order = order(t, self, dim, false);
    return taken(call, t, order, dim, call.integer("k") - 1, call.flag("keepdim"));
  }

  private static Arg median(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = dim(call, self);
    Order order = order(t, self, dim, false);
    long size = Tensors.rank(self) == 0 ? 1 : Tensors.dims(self)[dim];
    return taken(call, t, order, dim, (size - 1) / 2, call.flag("keepdim"));
  }

  private static Arg medianOfAll(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long count = Tensors.type(self).count();
    Order order = order(t, t.reshape(self, count), 0, false);
    return ((Arg.Items) taken(call, t, order, 0, (count - 1) / 2, false)).elements().get(0);
  }

  /** Returns where the extreme along {@code dim} first stands; NaN counts as extreme. */
  private static Value place(Tensors t, Value value, int dim, Value extreme) {
    TensorType type = Tensors.type(value);
    Value wide = t.broadcastAlong(extreme, type, dim);
    Value fits = t.compare("EQ", value, wide);
    if (type.element().isFloat()) {
      fits = t.or(fits, t.compare("NE", value, value));
    }
    TensorType places = type.withElement(ElementType.I64);
    Value none = t.full(places, type.dim(dim));
    return t.reduce(ReductionKind.MINIMUM, t.select(fits, t.iota(places, dim), none), dim);
  }

  private static Value best(AtenCall call, Tensors t, Value value, int dim, boolean largest) {
    if (Tensors.dims(value)[dim] == 0) {
      throw call.error("dimension " + dim + " of " + value.type() + " has no element");
    }
    return t.reduce(largest ? ReductionKind.MAXIMUM : ReductionKind.MINIMUM, value, dim);
  }

  private static Arg place(AtenCall call, Tensors t, boolean largest) {
    Value self = call.tensor("self");
    boolean all = !call.has("dim");
    if (all || Tensors.rank(self) == 0) {
      Value flat = t.reshape(self, Tensors.type(self).count());
      Value found = place(t, flat, 0, best(call, t, flat, 0, largest));
      long[] ones = new long[call.flag("keepdim") ? Tensors.rank(self) : 0];
      java.util.Arrays.fill(ones, 1);
      return Arg.of(t.reshape(found, ones));
    }
    int dim = dim(call, self);
    Value found = place(t, self, dim, best(call, t, self, dim, largest));
    return Arg.of(
        Reductions.kept(t, found, Tensors.type(self), new int[] {dim}, call.flag("keepdim")));
  }

  private static Arg extreme(AtenCall call, Tensors t, boolean largest) {
    Value self = call.tensor("self");
    if (Tensors.rank(self) == 0) {
      Order order = order(t, self, 0, largest);
      return Arg.items(ImmutableList.of(Arg.of(order.values()), Arg.of(order.places())));
    }
    int dim = dim(call, self);
    Value best = best(call, t, self, dim, largest);
    Value found = place(t, self, dim, best);
    int[] dims = {dim};
    boolean keep = call.flag("keepdim");
    return Arg.items(
        ImmutableList.of(
            Arg.of(Reductions.kept(t, best, Tensors.type(self), dims, keep)),
            Arg.of(Reductions.kept(t, found, Tensors.type(self), dims, keep))));
  }

  private static Arg both(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int[] dims =
        call.has("dim") && Tensors.rank(self) > 0
            ? new int[] {dim(call, self)}
            : java.util.stream.IntStream.range(0, Tensors.rank(self)).toArray();
    boolean keep = call.flag("keepdim");
    Value low = t.reduce(ReductionKind.MINIMUM, self, dims);
    Value high = t.reduce(ReductionKind.MAXIMUM, self, dims);
    return Arg.items(
        ImmutableList.of(
            Arg.of(Reductions.kept(t, low, Tensors.type(self), dims, keep)),
            Arg.of(Reductions.kept(t, high, Tensors.type(self), dims, keep))));
  }

  private static Arg search(AtenCall call, Tensors t) {
    Value sorted = call.tensor("sorted_sequence");
    Value self = call.tensor("self");
    if (Tensors.rank(sorted) != 1 || call.has("sorter")) {
      throw call.unsupported("takes one sequence without a sorter");
    }
    boolean right = call.flag("right") || call.has("side") && call.text("side").equals("right");
    Value below =
        t.compare(right ? "LE" : "LT", sorted, Shapes.withOne(t, self, Tensors.rank(self)));
    ElementType element = call.flag("out_int32") ? ElementType.I32 : ElementType.I64;
    return Arg.of(Reductions.total(t, t.convert(below, element), Tensors.rank(self)));
  }

  /** How many bins there are depends on the values; the text says how many came out. */
  private static Arg bins(AtenCall call, Tensors t) {
    if (call.outcome().types().isEmpty()) {
      throw call.unsupported("gives as many results as the values say, and the text does not");
    }
    TensorType type = call.outcome().types().get(0);
    Value self = call.tensor("self");
    Value weights = call.tensorOrNull("weights");
    // Sums of weights are f32 where the weights are, else f64.
    Value updates =
        weights == null
            ? t.full(Tensors.type(self).withElement(ElementType.I64), 1L)
            : Tensors.element(weights) == ElementType.F32
                ? weights
                : t.convert(weights, ElementType.F64);
    Value zeros = t.full(type.withElement(Tensors.element(updates)), 0L);
    return Arg.of(Gathers.scatter(t, zeros, Shapes.withOne(t, self, 1), updates, t::add));
  }

  private static Arg backward(AtenCall call, Tensors t) {
    Value grad = call.tensor("grad");
    Value indices = call.tensor("indices");
    long[] sizes = call.integers("sizes");
    if (sizes.length == 0) {
      return Arg.of(grad);
    }
    int dim = call.dim("dim", sizes.length);
    Value g = call.flag("keepdim") ? grad : Shapes.withOne(t, grad, dim);
    Value at = call.flag("keepdim") ? indices : Shapes.withOne(t, indices, dim);
    Value zeros = t.full(Tensors.type(grad).withDims(sizes), 0.0);
    Value places = Indexing.elementPlaces(t, at, dim, sizes[dim]);
    return Arg.of(Gathers.scatter(t, zeros, places, g, t::add));
  }
}
