package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BinaryOperator;

/** Parts of tensors at places that other tensors say, and tensors with such parts replaced. */
final class Indexing {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of("index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", Indexing::index),
          AtenOp.of(
              "_unsafe_index.Tensor(Tensor self, Tensor?[] indices) -> Tensor", Indexing::index),
          AtenOp.of(
              "index_put(Tensor self, Tensor?[] indices, Tensor values, bool "
                  + "accumulate=False) -> Tensor",
              Indexing::indexPut),
          AtenOp.of(
              "_unsafe_index_put(Tensor self, Tensor?[] indices, Tensor values, bool "
                  + "accumulate=False) -> Tensor",
              Indexing::indexPut),
          AtenOp.of(
              "index_select(Tensor self, int dim, Tensor index) -> Tensor", Indexing::indexSelect),
          AtenOp.of(
              "gather(Tensor self, int dim, Tensor index, *, bool sparse_grad=False) -> "
                  + "Tensor",
              Indexing::gather),
          AtenOp.of("take(Tensor self, Tensor index) -> Tensor", Indexing::take),
          AtenOp.of(
              "put(Tensor self, Tensor index, Tensor source, bool accumulate=False) -> " + "Tensor",
              Indexing::put),
          AtenOp.of(
              "take_along_dim(Tensor self, Tensor indices, int? dim=None) -> Tensor",
              Indexing::takeAlong),
          AtenOp.of(
              "scatter.src(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
              (call, t) -> scatter(call, t, "src", "set")),
          AtenOp.of(
              "scatter.value(Tensor self, int dim, Tensor index, Scalar value) -> Tensor",
              (call, t) -> scatter(call, t, "value", "set")),
          AtenOp.of(
              "scatter_add(Tensor self, int dim, Tensor index, Tensor src) -> Tensor",
              (call, t) -> scatter(call, t, "src", "sum")),
          AtenOp.of(
              "scatter.reduce(Tensor self, int dim, Tensor index, Tensor src, *, str "
                  + "reduce) -> Tensor",
              (call, t) -> scatter(call, t, "src", call.text("reduce"))),
          AtenOp.of(
              "scatter.value_reduce(Tensor self, int dim, Tensor index, Scalar value, *, "
                  + "str reduce) -> Tensor",
              (call, t) -> scatter(call, t, "value", call.text("reduce"))),
          AtenOp.of(
              "scatter_reduce.two(Tensor self, int dim, Tensor index, Tensor src, str "
                  + "reduce, *, bool include_self=True) -> Tensor",
              ScatterReduce::lower),
          AtenOp.of(
              "index_add(Tensor self, int dim, Tensor index, Tensor source, *, Scalar "
                  + "alpha=1) -> Tensor",
              Indexing::indexAdd),
          AtenOp.of(
              "index_copy(Tensor self, int dim, Tensor index, Tensor source) -> Tensor",
              Indexing::indexCopy),
          AtenOp.of(
              "index_fill.int_Scalar(Tensor self, int dim, Tensor index, Scalar value) -> "
                  + "Tensor",
              Indexing::indexFill),
          AtenOp.of(
              "index_fill.int_Tensor(Tensor self, int dim, Tensor index, Tensor value) -> "
                  + "Tensor",
              Indexing::indexFill),
          AtenOp.of(
              "diagonal_scatter(Tensor self, Tensor src, int offset=0, int dim1=0, int "
                  + "dim2=1) -> Tensor",
              Indexing::diagonalScatter),
          AtenOp.of(
              "masked_scatter(Tensor self, Tensor mask, Tensor source) -> Tensor",
              Indexing::maskedScatter),
          AtenOp.of(
              "repeat_interleave.self_int(Tensor self, SymInt repeats, int? dim=None, *, "
                  + "SymInt? output_size=None) -> Tensor",
              Indexing::repeatInterleave));

  private Indexing() {}

  private static Arg index(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    IndexPlaces places = IndexPlaces.of(call, t, self);
    int rank = Tensors.rank(self);
    Value front = t.transpose(self, places.indexedFirst(rank));
    Value taken = Gathers.rows(t, front, places.vectors());
    return Arg.of(t.transpose(taken, places.resultOrder(rank)));
  }

  private static Arg indexPut(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    ImmutableList<Arg> given = call.items("indices");
    if (given.size() == 1
        && given.get(0) instanceof Arg.Tensor mask
        && mask.type().element().isBool()) {
      return masked(call, t, self, mask.value());
    }
    IndexPlaces places = IndexPlaces.of(call, t, self);
    int rank = Tensors.rank(self);
    long[] order = places.indexedFirst(rank);
    Value front = t.transpose(self, order);
    int outer = Tensors.rank(places.vectors()) - 1;
    long[] shape = new long[outer + rank - places.dims().length];
    System.arraycopy(Tensors.dims(places.vectors()), 0, shape, 0, outer);
    System.arraycopy(Tensors.dims(front), places.dims().length, shape, outer, shape.length - outer);
    long[] resultOrder = places.resultOrder(rank);
    long[] expected = new long[shape.length];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = shape[(int) resultOrder[i]];
    }
    Value values = t.convert(call.tensor("values"), Tensors.element(self));
    Value updates = t.transpose(t.broadcast(values, expected), IndexPlaces.inverse(resultOrder));
    BinaryOperator<Value> join = call.flag("accumulate") ? sum(t, self) : (old, now) -> now;
    Value changed = Gathers.scatter(t, front, places.vectors(), updates, join);
    return Arg.of(t.transpose(changed, IndexPlaces.inverse(order)));
  }

  static BinaryOperator<Value> sum(Tensors t, Value value) {
    return Tensors.element(value).isBool() ? t::or : t::add;
  }

  private static Arg masked(AtenCall call, Tensors t, Value self, Value mask) {
    Value values = t.convert(call.tensor("values"), Tensors.element(self));
    if (Tensors.type(values).count() != 1) {
      Value put = t.reshape(put(t, self, mask, values), Tensors.dims(self));
      if (!call.flag("accumulate")) {
        return Arg.of(put);
      }
      long[] wide = Arrays.copyOf(Tensors.dims(mask), Tensors.rank(self));
      Arrays.fill(wide, Tensors.rank(mask), wide.length, 1);
      return Arg.of(t.select(t.reshape(mask, wide), sum(t, self).apply(self, put), self));
    }
    long[] dims = Arrays.copyOf(Tensors.dims(mask), Tensors.rank(self));
    Arrays.fill(dims, Tensors.rank(mask), dims.length, 1);
    Value value = t.reshape(values);
    Value joined = call.flag("accumulate") ? t.add(self, value) : value;
    return Arg.of(t.select(t.reshape(mask, dims), joined, self));
  }

  private static Arg indexSelect(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value index = call.tensor("index");
    if (Tensors.rank(self) == 0) {
      return Arg.of(self);
    }
    int dim = call.dim("dim", Tensors.rank(self));
    Value flat = t.reshape(index, Tensors.type(index).count());
    Value taken = Gathers.rows(t, Slices.toFront(t, self, dim), Shapes.withOne(t, flat, 1));
    return Arg.of(Slices.fromFront(t, taken, dim));
  }

  /** Returns for each element of {@code index} its own place, {@code index} along {@code dim}. */
  static Value elementPlaces(Tensors t, Value index, int dim, long size) {
    TensorType type = Tensors.type(index).withElement(ElementType.I64);
    List<Value> columns = new ArrayList<>();
    for (int i = 0; i < type.rank(); i++) {
      Value column =
          i == dim ? Gathers.wrapped(t, t.convert(index, ElementType.I64), size) : t.iota(type, i);
      columns.add(Shapes.withOne(t, column, type.rank()));
    }
    return t.builder().concatenate(columns, type.rank());
  }

  private static Arg gather(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value index = call.tensor("index");
    return Arg.of(
        Tensors.rank(self) == 0
            ? t.reshape(self, Tensors.dims(index))
            : along(call, t, self, index, call.dim("dim", Tensors.rank(self))));
  }

  private static Value along(AtenCall call, Tensors t, Value self, Value index, int dim) {
    if (Tensors.rank(index) != Tensors.rank(self)) {
      throw call.error("index is " + index.type() + ", but self " + self.type());
    }
    return Gathers.rows(t, self, elementPlaces(t, index, dim, Tensors.dims(self)[dim]));
  }

  private static Arg takeAlong(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value index = call.tensor("indices");
    if (!call.has("dim")) {
      return Arg.of(taken(t, self, t.reshape(index, Tensors.type(index).count())));
    }
    int dim = call.dim("dim", Tensors.rank(self));
    long[] shape =
        Tensors.broadcastShapes(
            Tensors.withOnes(Tensors.dims(index), dim), Tensors.withOnes(Tensors.dims(self), dim));
    long[] indexShape = shape.clone();
    indexShape[dim] = Tensors.dims(index)[dim];
    long[] selfShape = shape.clone();
    selfShape[dim] = Tensors.dims(self)[dim];
    return Arg.of(
        along(call, t, t.broadcast(self, selfShape), t.broadcast(index, indexShape), dim));
  }

  private static Value taken(Tensors t, Value self, Value index) {
    long count = Tensors.type(self).count();
    Value places = Gathers.wrapped(t, t.convert(index, ElementType.I64), count);
    return Gathers.rows(t, t.reshape(self, count), Shapes.withOne(t, places, Tensors.rank(places)));
  }

  private static Arg take(AtenCall call, Tensors t) {
    return Arg.of(taken(t, call.tensor("self"), call.tensor("index")));
  }

  private static Arg put(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long count = Tensors.type(self).count();
    Value index = t.reshape(call.tensor("index"), call.type("index").count());
    Value places = Shapes.withOne(t, Gathers.wrapped(t, index, count), 1);
    Value source = t.reshape(call.tensor("source"), call.type("source").count());
    BinaryOperator<Value> join = call.flag("accumulate") ? t::add : (old, now) -> now;
    Value flat = Gathers.scatter(t, t.reshape(self, count), places, source, join);
    return Arg.of(t.reshape(flat, Tensors.dims(self)));
  }

  private static Arg scatter(AtenCall call, Tensors t, String source, String how) {
    Value self = call.tensor("self");
    BinaryOperator<Value> join =
        switch (how) {
          case "set" -> (old, now) -> now;
          case "sum", "add" -> sum(t, self);
          case "multiply", "prod" -> t::multiply;
          default -> throw call.error("reduce is '" + how + "'");
        };
    return Arg.of(scattered(call, t, self, source, join));
  }

  /** Returns {@code self} with elements joined with those of the source at their places. */
  static Value scattered(
      AtenCall call, Tensors t, Value self, String source, BinaryOperator<Value> join) {
    Value index = call.tensor("index");
    int dim = call.dim("dim", Tensors.rank(self));
    Value updates = t.operand(call.arg(source), Tensors.element(self));
    if (Tensors.rank(updates) == 0) {
      updates = t.broadcast(updates, Tensors.dims(index));
    }
    for (int i = 0; i < Tensors.rank(index); i++) {
      if (Tensors.dims(index)[i] > Tensors.dims(updates)[i]) {
        throw call.error("index is " + index.type() + ", larger than " + updates.type());
      }
      updates = t.slice(updates, i, 0, Tensors.dims(index)[i], 1);
    }
    Value places = elementPlaces(t, index, dim, Tensors.dims(self)[dim]);
    return Gathers.scatter(t, self, places, updates, join);
  }

  /** Changes whole slices along the dimension of the call. */
  private static Arg rows(AtenCall call, Tensors t, Value updates, BinaryOperator<Value> join) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    Value index = call.tensor("index");
    Value flat = t.reshape(index, Tensors.type(index).count());
    Value wrapped = Gathers.wrapped(t, flat, Tensors.dims(self)[dim]);
    Value changed =
        Gathers.scatter(
            t,
            Slices.toFront(t, self, dim),
            Shapes.withOne(t, wrapped, 1),
            Slices.toFront(t, updates, dim),
            join);
    return Arg.of(Slices.fromFront(t, changed, dim));
  }

  private static Arg indexAdd(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value source = t.convert(call.tensor("source"), Tensors.element(self));
    Arg alpha = call.number("alpha");
    Value scaled = Tensors.toDouble(alpha) == 1 ? source : Arithmetic.times(t, source, alpha);
    return rows(call, t, scaled, sum(t, self));
  }

  private static Arg indexCopy(AtenCall call, Tensors t) {
    Value source = t.convert(call.tensor("source"), call.type("self").element());
    return rows(call, t, source, (old, now) -> now);
  }

  private static Arg indexFill(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    long[] dims = Tensors.dims(self).clone();
    dims[dim] = call.type("index").count();
    Value value = t.operand(call.arg("value"), Tensors.element(self));
    return rows(call, t, t.broadcast(value, dims), (old, now) -> now);
  }

  private static Arg diagonalScatter(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    if (Tensors.rank(self) != 2 || call.integer("offset") != 0) {
      throw call.unsupported("takes more than the main diagonal of a matrix");
    }
    Value source = call.tensor("src");
    Value row = t.iota(TensorType.of(ElementType.I64, Tensors.dims(source)[0]), 0);
    Value column = Shapes.withOne(t, row, 1);
    Value places = t.builder().concatenate(ImmutableList.of(column, column), 1);
    return Arg.of(Gathers.scatter(t, self, places, source, (old, now) -> now));
  }

  /** Takes the elements of the source one after the other where the mask holds. */
  private static Arg maskedScatter(AtenCall call, Tensors t) {
    Value given = call.tensor("self");
    long[] dims = Tensors.broadcastDims(given, call.tensor("mask"));
    Value self = t.broadcast(given, dims);
    Value mask = t.broadcast(call.tensor("mask"), dims);
    Value source = call.tensor("source");
    return Arg.of(put(t, self, mask, t.reshape(source, Tensors.type(source).count())));
  }

  /**
   * Returns {@code self} with the rows of {@code values} put, one after the other, where {@code
   * mask}, of its first dimensions, holds.
   */
  private static Value put(Tensors t, Value self, Value mask, Value values) {
    long count = Tensors.type(mask).count();
    long rows = Tensors.rank(values) == 0 ? 1 : Tensors.dims(values)[0];
    if (count == 0 || rows == 0) {
      return self;
    }
    long size = Tensors.type(self).count() / count;
    Value flat = t.convert(t.reshape(mask, count), ElementType.I64);
    Value numbers = t.subtract(Cumulative.sum(t, flat, 0), t.like(flat, 1));
    Value places = t.maximum(numbers, t.like(numbers, 0));
    TensorType row = TensorType.of(Tensors.element(values), rows, size);
    Value all = t.reshape(t.broadcast(values, expanded(self, mask, rows)), row.dims().toArray());
    Value taken = Gathers.rows(t, all, Shapes.withOne(t, places, 1));
    long[] wide = Arrays.copyOf(Tensors.dims(mask), Tensors.rank(self));
    Arrays.fill(wide, Tensors.rank(mask), wide.length, 1);
    return t.select(t.reshape(mask, wide), t.reshape(taken, Tensors.dims(self)), self);
  }

  /** Returns the shape of {@code rows} values that are put where {@code mask} holds. */
  private static long[] expanded(Value self, Value mask, long rows) {
    int inner = Tensors.rank(self) - Tensors.rank(mask);
    long[] out = new long[1 + inner];
    out[0] = rows;
    System.arraycopy(Tensors.dims(self), Tensors.rank(mask), out, 1, inner);
    return out;
  }

  private static Arg repeatInterleave(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long repeats = call.integer("repeats");
    Value value = call.has("dim") ? self : t.reshape(self, Tensors.type(self).count());
    int dim = call.has("dim") ? call.dim("dim", Tensors.rank(value)) : 0;
    Value wide = Shapes.withOne(t, value, dim + 1);
    long[] dims = Tensors.dims(wide).clone();
    dims[dim + 1] = repeats;
    long[] out = Tensors.dims(value).clone();
    out[dim] *= repeats;
    return Arg.of(t.reshape(t.broadcast(wide, dims), out));
  }
}
