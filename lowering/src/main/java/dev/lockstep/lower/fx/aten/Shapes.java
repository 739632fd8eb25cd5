package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The same elements under another shape, and copies of them. */
final class Shapes {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.<AtenOp>builder()
          .add(
              AtenOp.view("view(Tensor(a) self, SymInt[] size) -> Tensor(a)", Shapes::view),
              AtenOp.view("_unsafe_view(Tensor self, SymInt[] size) -> Tensor", Shapes::view),
              AtenOp.view("reshape(Tensor(a) self, SymInt[] shape) -> Tensor(a)", Shapes::view),
              AtenOp.view(
                  "view.dtype(Tensor(a) self, ScalarType dtype) -> Tensor(a)", Shapes::bits),
              AtenOp.view(
                  "_reshape_alias(Tensor(a) self, SymInt[] size, SymInt[] stride) -> Tensor(a)",
                  Shapes::view),
              AtenOp.view("view_as(Tensor(a) self, Tensor other) -> Tensor(a)", Shapes::viewAs),
              AtenOp.view("reshape_as(Tensor(a) self, Tensor other) -> Tensor(a)", Shapes::viewAs),
              AtenOp.view(
                  "flatten.using_ints(Tensor(a) self, int start_dim=0, int end_dim=-1)"
                      + " -> Tensor(a)",
                  Shapes::flatten),
              AtenOp.view(
                  "unflatten.int(Tensor(a) self, int dim, SymInt[] sizes) -> Tensor(a)",
                  Shapes::unflatten),
              AtenOp.view("t(Tensor(a) self) -> Tensor(a)", Shapes::turned),
              AtenOp.view("numpy_T(Tensor(a) self) -> Tensor(a)", Shapes::turned),
              AtenOp.view("mT(Tensor(a) self) -> Tensor(a)", (call, t) -> swapped(call, t, -2, -1)),
              AtenOp.view(
                  "transpose.int(Tensor(a) self, int dim0, int dim1) -> Tensor(a)",
                  (call, t) -> swapped(call, t, call.integer("dim0"), call.integer("dim1"))),
              AtenOp.view(
                  "swapaxes(Tensor(a) self, int axis0, int axis1) -> Tensor(a)",
                  (call, t) -> swapped(call, t, call.integer("axis0"), call.integer("axis1"))),
              AtenOp.view("permute(Tensor(a) self, int[] dims) -> Tensor(a)", Shapes::permute),
              AtenOp.view(
                  "movedim.int(Tensor(a) self, int source, int destination) -> Tensor(a)",
                  Shapes::movedim),
              AtenOp.view("unsqueeze(Tensor(a) self, int dim) -> Tensor(a)", Shapes::unsqueeze),
              AtenOp.view("squeeze(Tensor(a) self) -> Tensor(a)", Shapes::squeeze),
              AtenOp.view("squeeze.dim(Tensor(a) self, int dim) -> Tensor(a)", Shapes::squeeze),
              AtenOp.view("squeeze.dims(Tensor(a) self, int[] dim) -> Tensor(a)", Shapes::squeeze),
              AtenOp.view(
                  "expand(Tensor(a) self, SymInt[] size, *, bool implicit=False) -> Tensor(a)",
                  Shapes::expand),
              AtenOp.view(
                  "expand_as(Tensor(a) self, Tensor other) -> Tensor(a)",
                  (call, t) ->
                      Arg.of(t.broadcast(call.tensor("self"), Tensors.dims(call.tensor("other"))))),
              AtenOp.of("broadcast_to(Tensor(a) self, SymInt[] size) -> Tensor(a)", Shapes::expand),
              AtenOp.of("repeat(Tensor self, SymInt[] repeats) -> Tensor", Shapes::repeat),
              AtenOp.of("tile(Tensor self, SymInt[] dims) -> Tensor", Shapes::repeatTile),
              AtenOp.of("flip(Tensor self, int[] dims) -> Tensor", Shapes::flip),
              AtenOp.of(
                  "roll(Tensor self, SymInt[1] shifts, int[1] dims=[]) -> Tensor", Shapes::roll),
              AtenOp.of("rot90(Tensor self, int k=1, int[] dims=[0,1]) -> Tensor", Shapes::rotate),
              AtenOp.of("cat(Tensor[] tensors, int dim=0) -> Tensor", Shapes::cat),
              AtenOp.of("concat(Tensor[] tensors, int dim=0) -> Tensor", Shapes::cat),
              AtenOp.of("stack(Tensor[] tensors, int dim=0) -> Tensor", Shapes::stack),
              AtenOp.of("ravel(Tensor self) -> Tensor", Shapes::ravel))
          .addAll(copies())
          .build();

  private Shapes() {}

  /** Operators that copy, or do nothing but say how data lies in memory. */
  private static ImmutableList<AtenOp> copies() {
    AtenOp.Rule copy = (call, t) -> Arg.of(call.tensor("self"));
    AtenOp.Rule itself = (call, t) -> call.cell("self");
    return ImmutableList.of(
        AtenOp.of("clone(Tensor self, *, MemoryFormat? memory_format=None) -> Tensor", copy),
        AtenOp.of("lift_fresh_copy(Tensor self) -> Tensor", copy),
        AtenOp.view("lift_fresh(Tensor(a) self) -> Tensor(a)", itself),
        AtenOp.view("lift(Tensor self) -> Tensor", itself),
        AtenOp.view("detach(Tensor(a) self) -> Tensor(a)", itself),
        AtenOp.view("detach_(Tensor(a!) self) -> Tensor(a!)", itself),
        AtenOp.view("alias(Tensor(a) self) -> Tensor(a)", itself),
        AtenOp.view(
            "contiguous(Tensor(a) self, *, MemoryFormat memory_format=contiguous_format)"
                + " -> Tensor(a)",
            itself));
  }

  private static Arg view(AtenCall call, Tensors t) {
    String name = call.schema().parameters().get(1).name();
    Value self = call.tensor("self");
    return Arg.of(t.reshape(self, sizes(call, call.integers(name), Tensors.type(self).count())));
  }

  /** Returns {@code sizes} with the one that is -1 worked out. */
  private static long[] sizes(AtenCall call, long[] sizes, long count) {
    long known = 1;
    int open = -1;
    for (int i = 0; i < sizes.length; i++) {
      if (sizes[i] == -1 && open < 0) {
        open = i;
      } else if (sizes[i] < 0) {
        throw call.error("the shape " + Arrays.toString(sizes) + " is not one");
      } else {
        known *= sizes[i];
      }
    }
    long[] out = sizes.clone();
    if (open >= 0) {
      out[open] = known == 0 ? 0 : count / known;
      known *= out[open];
    }
    if (known != count) {
      throw call.error(
          "the shape " + Arrays.toString(sizes) + " does not hold " + count + " elements");
    }
    return out;
  }

  private static Arg bits(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    dev.lockstep.hlo.type.ElementType element =
        java.util.Objects.requireNonNull(call.dtype("dtype"));
    if (element.bits() != Tensors.element(self).bits()) {
      throw call.unsupported(
          "views " + Tensors.element(self) + " as " + element + ", whose elements differ in size");
    }
    return Arg.of(t.builder().bitcastConvert(self, Tensors.type(self).withElement(element)));
  }

  private static Arg viewAs(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] dims = Tensors.dims(call.tensor("other"));
    return Arg.of(t.reshape(self, sizes(call, dims, Tensors.type(self).count())));
  }

  private static Arg ravel(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    return Arg.of(t.reshape(self, Tensors.type(self).count()));
  }

  private static Arg flatten(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] dims = Tensors.dims(self);
    if (dims.length == 0) {
      return Arg.of(t.reshape(self, 1));
    }
    int first = call.dim("start_dim", dims.length);
    int last = call.dim("end_dim", dims.length);
    List<Long> out = new ArrayList<>();
    long joined = 1;
    for (int i = 0; i < dims.length; i++) {
      if (i < first || i > last) {
        out.add(dims[i]);
      } else {
        joined *= dims[i];
        if (i == last) {
          out.add(joined);
        }
      }
    }
    return Arg.of(t.reshape(self, out.stream().mapToLong(Long::longValue).toArray()));
  }

  private static Arg unflatten(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] dims = Tensors.dims(self);
    int dim = call.dim("dim", dims.length);
    long[] inner = sizes(call, call.integers("sizes"), dims[dim]);
    long[] out = new long[dims.length - 1 + inner.length];
    System.arraycopy(dims, 0, out, 0, dim);
    System.arraycopy(inner, 0, out, dim, inner.length);
    System.arraycopy(dims, dim + 1, out, dim + inner.length, dims.length - dim - 1);
    return Arg.of(t.reshape(self, out));
  }

  private static Arg turned(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self);
    long[] order = IntStream.range(0, rank).mapToLong(i -> rank - 1 - i).toArray();
    return Arg.of(t.transpose(self, order));
  }

  private static Arg swapped(AtenCall call, Tensors t, long first, long second) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self);
    int a = call.dim(first, rank);
    int b = call.dim(second, rank);
    return rank == 0 ? call.arg("self") : Arg.of(t.swap(self, a, b));
  }

  private static Arg permute(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self);
    long[] given = call.integers("dims");
    if (given.length != rank) {
      throw call.error("orders " + given.length + " dimensions, there are " + rank);
    }
    int[] dims = rank == 0 ? new int[0] : call.dims("dims", rank);
    return Arg.of(t.transpose(self, Arrays.stream(dims).asLongStream().toArray()));
  }

  private static Arg movedim(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int rank = Tensors.rank(self);
    int from = call.dim("source", rank);
    List<Long> order = new ArrayList<>();
    IntStream.range(0, rank).filter(i -> i != from).forEach(i -> order.add((long) i));
    order.add(call.dim("destination", rank), (long) from);
    return Arg.of(t.transpose(self, order.stream().mapToLong(Long::longValue).toArray()));
  }

  private static Arg unsqueeze(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    return Arg.of(withOne(t, self, call.dim("dim", Tensors.rank(self) + 1)));
  }

  /** Returns {@code value} with a dimension of one element inserted. */
  static Value withOne(Tensors t, Value value, int dim) {
    long[] dims = Tensors.dims(value);
    long[] out = new long[dims.length + 1];
    System.arraycopy(dims, 0, out, 0, dim);
    out[dim] = 1;
    System.arraycopy(dims, dim, out, dim + 1, dims.length - dim);
    return t.reshape(value, out);
  }

  private static Arg squeeze(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] dims = Tensors.dims(self);
    boolean all = call.schema().parameter("dim") == null;
    int[] chosen =
        all
            ? IntStream.range(0, dims.length).toArray()
            : call.integers("dim").length == 0 ? new int[0] : call.dims("dim", dims.length);
    int[] removed = Arrays.stream(chosen).filter(i -> dims[i] == 1).toArray();
    return Arg.of(t.reshape(self, Tensors.without(dims, removed)));
  }

  private static Arg expand(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] dims = call.integers("size");
    int added = dims.length - Tensors.rank(self);
    for (int i = 0; i < dims.length; i++) {
      if (dims[i] == -1 && i >= added && added >= 0) {
        dims[i] = Tensors.dims(self)[i - added];
      }
    }
    if (added < 0 || Arrays.stream(dims).anyMatch(dim -> dim < 0)) {
      throw call.error(self.type() + " cannot become " + Arrays.toString(dims));
    }
    return Arg.of(t.broadcast(self, dims));
  }

  private static Arg repeat(AtenCall call, Tensors t) {
    long[] repeats = call.integers("repeats");
    if (repeats.length < Tensors.rank(call.tensor("self"))) {
      throw call.error("repeats has " + repeats.length + " entries, too few");
    }
    return Arg.of(repeated(t, call.tensor("self"), repeats));
  }

  private static Arg repeatTile(AtenCall call, Tensors t) {
    long[] given = call.integers("dims");
    int rank = Math.max(given.length, Tensors.rank(call.tensor("self")));
    long[] repeats = new long[rank];
    Arrays.fill(repeats, 1);
    System.arraycopy(given, 0, repeats, rank - given.length, given.length);
    return Arg.of(repeated(t, call.tensor("self"), repeats));
  }

  private static Value repeated(Tensors t, Value value, long[] repeats) {
    int rank = repeats.length;
    int added = rank - Tensors.rank(value);
    long[] from = new long[rank];
    Arrays.fill(from, 1);
    System.arraycopy(Tensors.dims(value), 0, from, added, rank - added);
    long[] pairs = new long[2 * rank];
    long[] places = new long[rank];
    long[] out = new long[rank];
    for (int i = 0; i < rank; i++) {
      pairs[2 * i] = repeats[i];
      pairs[2 * i + 1] = from[i];
      places[i] = 2L * i + 1;
      out[i] = repeats[i] * from[i];
    }
    Value shaped = t.reshape(value, from);
    Value all = t.builder().broadcastInDim(shaped, Tensors.type(value).withDims(pairs), places);
    return t.reshape(all, out);
  }

  private static Arg flip(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] dims = call.integers("dims");
    long[] places =
        Arrays.stream(dims).map(dim -> call.dim(dim, Tensors.rank(self))).sorted().toArray();
    return places.length == 0 || Tensors.rank(self) == 0
        ? Arg.of(self)
        : Arg.of(t.builder().reverse(self, places));
  }

  private static Arg roll(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    long[] shifts = call.integers("shifts");
    long[] dims = call.integers("dims");
    if (dims.length == 0) {
      Value flat = t.reshape(self, Tensors.type(self).count());
      return Arg.of(t.reshape(rolled(t, flat, 0, shifts[0]), Tensors.dims(self)));
    }
    if (dims.length != shifts.length) {
      throw call.error(shifts.length + " shifts are given for " + dims.length + " dimensions");
    }
    Value out = self;
    for (int i = 0; i < dims.length; i++) {
      out = rolled(t, out, call.dim(dims[i], Tensors.rank(self)), shifts[i]);
    }
    return Arg.of(out);
  }

  private static Value rolled(Tensors t, Value value, int dim, long shift) {
    long size = Tensors.dims(value)[dim];
    long cut = size == 0 ? 0 : Math.floorMod(-shift, size);
    if (cut == 0) {
      return value;
    }
    return t.builder()
        .concatenate(
            ImmutableList.of(t.slice(value, dim, cut, size, 1), t.slice(value, dim, 0, cut, 1)),
            dim);
  }

  private static Arg rotate(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int[] dims = call.dims("dims", Tensors.rank(self));
    Value out = self;
    for (long turn = Math.floorMod(call.integer("k"), 4L); turn > 0; turn--) {
      out = t.builder().reverse(t.swap(out, dims[0], dims[1]), dims[0]);
    }
    return Arg.of(out);
  }

  private static Arg cat(AtenCall call, Tensors t) {
    Promotion promotion = new Promotion();
    ImmutableList<Value> all = call.tensors("tensors");
    all.forEach(value -> promotion.add(Tensors.type(value)));
    List<Value> parts = new ArrayList<>();
    for (Value value : all) {
      // torch joins an empty list, f32[0], with anything.
      if (Tensors.rank(value) != 1 || Tensors.dims(value)[0] != 0) {
        parts.add(t.convert(value, promotion.result()));
      }
    }
    if (parts.isEmpty()) {
      return Arg.of(t.convert(all.get(0), promotion.result()));
    }
    int rank = Tensors.rank(parts.get(0));
    int dim = call.dim("dim", rank);
    for (Value part : parts) {
      long[] expected = Tensors.dims(parts.get(0)).clone();
      long[] got = Tensors.dims(part);
      boolean fits = got.length == rank && rank > 0;
      for (int i = 0; fits && i < rank; i++) {
        fits = i == dim || expected[i] == got[i];
      }
      if (!fits) {
        throw call.error(
            "cannot join " + part.type() + " and " + parts.get(0).type() + " along " + dim);
      }
    }
    return Arg.of(t.builder().concatenate(parts, dim));
  }

  private static Arg stack(AtenCall call, Tensors t) {
    Promotion promotion = new Promotion();
    ImmutableList<Value> all = call.tensors("tensors");
    all.forEach(value -> promotion.add(Tensors.type(value)));
    int dim = call.dim("dim", Tensors.rank(all.get(0)) + 1);
    List<Value> parts = new ArrayList<>();
    for (Value value : all) {
      if (!Tensors.type(value).dims().equals(Tensors.type(all.get(0)).dims())) {
        throw call.error("cannot stack " + value.type() + " and " + all.get(0).type());
      }
      parts.add(withOne(t, t.convert(value, promotion.result()), dim));
    }
    return Arg.of(t.builder().concatenate(parts, dim));
  }
}
