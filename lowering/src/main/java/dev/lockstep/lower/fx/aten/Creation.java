package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/** Tensors out of nothing, and conversions between element types. */
final class Creation {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.<AtenOp>builder()
          .add(
              AtenOp.of(
                  "zeros(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, "
                      + "Device? device=None, bool? pin_memory=None) -> Tensor",
                  sized(0)),
              AtenOp.of(
                  "ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                      + "device=None, bool? pin_memory=None) -> Tensor",
                  sized(1)),
              AtenOp.of(
                  "empty.memory_format(SymInt[] size, *, ScalarType? dtype=None, Layout? "
                      + "layout=None, Device? device=None, bool? pin_memory=None, MemoryFormat? "
                      + "memory_format=None) -> Tensor",
                  sized(0)),
              AtenOp.of(
                  "empty_strided(SymInt[] size, SymInt[] stride, *, ScalarType? dtype=None, Layout?"
                      + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  sized(0)),
              AtenOp.of(
                  "full(SymInt[] size, Scalar fill_value, *, ScalarType? dtype=None, Layout? "
                      + "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  (call, t) -> filled(call, t, call.integers("size"), null)),
              AtenOp.of(
                  "zeros_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
                      + "Device? device=None, bool? pin_memory=None, MemoryFormat? "
                      + "memory_format=None) -> Tensor",
                  like(0)),
              AtenOp.of(
                  "ones_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
                      + "Device? device=None, bool? pin_memory=None, MemoryFormat? "
                      + "memory_format=None) -> Tensor",
                  like(1)),
              AtenOp.of(
                  "empty_like(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
                      + "Device? device=None, bool? pin_memory=None, MemoryFormat? "
                      + "memory_format=None) -> Tensor",
                  like(0)),
              AtenOp.of(
                  "full_like(Tensor self, Scalar fill_value, *, ScalarType? dtype=None, "
                      + "Layout? layout=None, Device? device=None, bool? pin_memory=None, "
                      + "MemoryFormat? memory_format=None) -> Tensor",
                  Creation::fullLike),
              AtenOp.of(
                  "new_zeros(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? "
                      + "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  sizedLike(0)),
              AtenOp.of(
                  "new_ones(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? "
                      + "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  sizedLike(1)),
              AtenOp.of(
                  "new_empty(Tensor self, SymInt[] size, *, ScalarType? dtype=None, Layout? "
                      + "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  sizedLike(0)),
              AtenOp.of(
                  "new_empty_strided(Tensor self, SymInt[] size, SymInt[] stride, *, "
                      + "ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? "
                      + "pin_memory=None) -> Tensor",
                  sizedLike(0)),
              AtenOp.of(
                  "new_full(Tensor self, SymInt[] size, Scalar fill_value, *, ScalarType? "
                      + "dtype=None, Layout? layout=None, Device? device=None, bool? "
                      + "pin_memory=None) -> Tensor",
                  Creation::newFull),
              AtenOp.of(
                  "scalar_tensor(Scalar s, *, ScalarType? dtype=None, Layout? layout=None, "
                      + "Device? device=None, bool? pin_memory=None) -> Tensor",
                  Creation::scalar),
              AtenOp.of(
                  "arange(Scalar end, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                      + "device=None, bool? pin_memory=None) -> Tensor",
                  Creation::arange),
              AtenOp.of(
                  "arange.start(Scalar start, Scalar end, *, ScalarType? dtype=None, Layout? "
                      + "layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  Creation::arange),
              AtenOp.of(
                  "arange.start_step(Scalar start, Scalar end, Scalar step=1, *, ScalarType? "
                      + "dtype=None, Layout? layout=None, Device? device=None, bool? "
                      + "pin_memory=None) -> Tensor",
                  Creation::arange),
              AtenOp.of(
                  "linspace(Scalar start, Scalar end, int steps, *, ScalarType? dtype=None, Layout?"
                      + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  Creation::linspace),
              AtenOp.of(
                  "eye(SymInt n, *, ScalarType? dtype=None, Layout? layout=None, Device? "
                      + "device=None, bool? pin_memory=None) -> Tensor",
                  Creation::eye),
              AtenOp.of(
                  "eye.m(SymInt n, SymInt m, *, ScalarType? dtype=None, Layout? layout=None, "
                      + "Device? device=None, bool? pin_memory=None) -> Tensor",
                  Creation::eye),
              AtenOp.of(
                  "tril_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout?"
                      + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  Creation::triangle),
              AtenOp.of(
                  "triu_indices(int row, int col, int offset=0, *, ScalarType? dtype=4, Layout?"
                      + " layout=None, Device? device=None, bool? pin_memory=None) -> Tensor",
                  Creation::triangle),
              AtenOp.of("fill.Scalar(Tensor self, Scalar value) -> Tensor", Creation::fill),
              AtenOp.of("fill.Tensor(Tensor self, Tensor value) -> Tensor", Creation::fill),
              AtenOp.of(
                  "zero(Tensor self) -> Tensor",
                  (call, t) -> Arg.of(t.like(call.tensor("self"), 0))),
              AtenOp.of(
                  "copy(Tensor self, Tensor src, bool non_blocking=False) -> Tensor",
                  Creation::copy))
          .addAll(casts())
          .build();

  private Creation() {}

  private static ImmutableList<AtenOp> casts() {
    return ImmutableList.of(
        AtenOp.of(
            "_to_copy(Tensor self, *, ScalarType? dtype=None, Layout? layout=None, "
                + "Device? device=None, bool? pin_memory=None, bool non_blocking=False, "
                + "MemoryFormat? memory_format=None) -> Tensor",
            (call, t) -> cast(call, t, call.dtype("dtype"))),
        AtenOp.of(
            "to.dtype(Tensor(a) self, ScalarType dtype, bool non_blocking=False, bool "
                + "copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
            (call, t) -> cast(call, t, call.dtype("dtype"))),
        AtenOp.of(
            "to.dtype_layout(Tensor(a) self, *, ScalarType? dtype=None, Layout? "
                + "layout=None, Device? device=None, bool? pin_memory=None, bool "
                + "non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> "
                + "Tensor(a)",
            (call, t) -> cast(call, t, call.dtype("dtype"))),
        AtenOp.of(
            "to.device(Tensor(a) self, Device device, ScalarType dtype, bool "
                + "non_blocking=False, bool copy=False, MemoryFormat? memory_format=None) -> "
                + "Tensor(a)",
            (call, t) -> cast(call, t, call.dtype("dtype"))),
        AtenOp.of(
            "to.other(Tensor(a) self, Tensor other, bool non_blocking=False, bool "
                + "copy=False, MemoryFormat? memory_format=None) -> Tensor(a)",
            (call, t) -> cast(call, t, Tensors.element(call.tensor("other")))),
        AtenOp.of(
            "type_as(Tensor self, Tensor other) -> Tensor",
            (call, t) -> cast(call, t, Tensors.element(call.tensor("other")))),
        AtenOp.of(
            "prims::convert_element_type(Tensor a, ScalarType dtype) -> Tensor",
            Creation::convert));
  }

  private static Arg cast(AtenCall call, Tensors t, @Nullable ElementType element) {
    Value self = call.tensor("self");
    if (element == null || element == Tensors.element(self)) {
      return call.schema().parameter("copy") != null && !call.flag("copy")
          ? call.cell("self")
          : Arg.of(self);
    }
    return Arg.of(t.convert(self, element));
  }

  private static Arg convert(AtenCall call, Tensors t) {
    ElementType element = java.util.Objects.requireNonNull(call.dtype("dtype"));
    return Arg.of(t.convert(call.tensor("a"), element));
  }

  private static ElementType dtypeOr(AtenCall call, ElementType fallback) {
    ElementType asked = call.dtype("dtype");
    return asked == null ? fallback : asked;
  }

  private static AtenOp.Rule sized(long value) {
    return (call, t) ->
        Arg.of(
            t.full(
                TensorType.of(dtypeOr(call, ElementType.F32), call.integers("size")),
                new Arg.Whole(value)));
  }

  private static AtenOp.Rule sizedLike(long value) {
    return (call, t) -> {
      ElementType element = dtypeOr(call, call.type("self").element());
      return Arg.of(t.full(TensorType.of(element, call.integers("size")), new Arg.Whole(value)));
    };
  }

  private static AtenOp.Rule like(long value) {
    return (call, t) -> {
      TensorType type = call.type("self");
      ElementType element = dtypeOr(call, type.element());
      return Arg.of(t.full(type.withElement(element), new Arg.Whole(value)));
    };
  }

  private static Arg filled(AtenCall call, Tensors t, long[] size, @Nullable ElementType fallback) {
    Arg number = call.number("fill_value");
    ElementType element = dtypeOr(call, fallback == null ? Promotion.elementOf(number) : fallback);
    return Arg.of(t.full(TensorType.of(element, size), number));
  }

  private static Arg fullLike(AtenCall call, Tensors t) {
    TensorType type = call.type("self");
    return filled(call, t, type.dims().toArray(), type.element());
  }

  private static Arg newFull(AtenCall call, Tensors t) {
    return filled(call, t, call.integers("size"), call.type("self").element());
  }

  private static Arg scalar(AtenCall call, Tensors t) {
    return Arg.of(t.full(TensorType.of(dtypeOr(call, ElementType.F32)), call.number("s")));
  }

  private static Arg orElse(AtenCall call, String name, long fallback) {
    return call.schema().parameter(name) == null ? new Arg.Whole(fallback) : call.number(name);
  }

  private static Arg arange(AtenCall call, Tensors t) {
    Arg start = orElse(call, "start", 0);
    Arg end = call.number("end");
    Arg step = orElse(call, "step", 1);
    boolean whole =
        start instanceof Arg.Whole && end instanceof Arg.Whole && step instanceof Arg.Whole;
    ElementType element = dtypeOr(call, whole ? ElementType.I64 : ElementType.F32);
    double by = Tensors.toDouble(step);
    double span = Tensors.toDouble(end) - Tensors.toDouble(start);
    if (by == 0 || span / by < 0) {
      throw call.error("no step of " + step.describe() + " leads there");
    }
    long count = (long) Math.ceil(span / by);
    return Arg.of(ramp(t, TensorType.of(element, count), start, step));
  }

  /** Returns {@code start + step * i}. */
  private static Value ramp(Tensors t, TensorType type, Arg start, Arg step) {
    ElementType wide = Promotion.wide(type.element());
    Value numbers = t.iota(type.withElement(wide), 0);
    if (Tensors.toDouble(step) != 1) {
      numbers = t.multiply(numbers, t.full(Tensors.type(numbers), step));
    }
    if (Tensors.toDouble(start) != 0) {
      numbers = t.add(numbers, t.full(Tensors.type(numbers), start));
    }
    return t.convert(numbers, type.element());
  }

  private static Arg linspace(AtenCall call, Tensors t) {
    ElementType element = dtypeOr(call, ElementType.F32);
    int steps = Math.toIntExact(call.integer("steps"));
    double start = call.real("start");
    double end = call.real("end");
    LiteralBuilder out = new LiteralBuilder(TensorType.of(element, steps));
    double step = steps > 1 ? (end - start) / (steps - 1) : 0;
    for (int i = 0; i < steps; i++) {
      // torch counts from both ends.
      out.setDouble(i, i < steps / 2 ? start + step * i : end - step * (steps - 1 - i));
    }
    if (steps == 1) {
      out.setDouble(0, start);
    }
    return Arg.of(t.builder().constant(out.build()));
  }

  private static Arg eye(AtenCall call, Tensors t) {
    long rows = call.integer("n");
    long columns = call.schema().parameter("m") == null ? rows : call.integer("m");
    ElementType element = dtypeOr(call, ElementType.F32);
    TensorType type = TensorType.of(ElementType.I64, rows, columns);
    return Arg.of(t.convert(t.compare("EQ", t.iota(type, 0), t.iota(type, 1)), element));
  }

  private static Arg triangle(AtenCall call, Tensors t) {
    boolean lower = call.name().contains("tril");
    long offset = call.integer("offset");
    java.util.List<long[]> places = new java.util.ArrayList<>();
    for (long row = 0; row < call.integer("row"); row++) {
      for (long column = 0; column < call.integer("col"); column++) {
        if (lower ? column - row <= offset : column - row >= offset) {
          places.add(new long[] {row, column});
        }
      }
    }
    int count = places.size();
    LiteralBuilder out =
        new LiteralBuilder(TensorType.of(dtypeOr(call, ElementType.I64), 2, count));
    for (int i = 0; i < count; i++) {
      out.setLong(i, places.get(i)[0]);
      out.setLong(count + i, places.get(i)[1]);
    }
    return Arg.of(t.builder().constant(out.build()));
  }

  private static Arg fill(AtenCall call, Tensors t) {
    TensorType type = call.type("self");
    Value value = t.operand(call.arg("value"), type.element());
    return Arg.of(t.broadcast(value, type.dims().toArray()));
  }

  private static Arg copy(AtenCall call, Tensors t) {
    TensorType type = call.type("self");
    Value source = t.convert(call.tensor("src"), type.element());
    return Arg.of(t.broadcast(source, type.dims().toArray()));
  }
}
