package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;

/** Comparisons, logic and choices between tensors. */
final class Comparisons {
  static final ImmutableList<AtenOp> OPS = ops();

  private Comparisons() {}

  private static ImmutableList<AtenOp> ops() {
    ImmutableList.Builder<AtenOp> out = ImmutableList.builder();
    for (String name : ImmutableList.of("eq", "ne", "lt", "le", "gt", "ge")) {
      String direction = name.toUpperCase(java.util.Locale.ROOT);
      out.add(
          AtenOp.of(name + ".Tensor(Tensor self, Tensor other) -> Tensor", compared(direction)),
          AtenOp.of(name + ".Scalar(Tensor self, Scalar other) -> Tensor", compared(direction)));
    }
    for (String name : ImmutableList.of("and", "or", "xor")) {
      out.add(
          AtenOp.of(
              "logical_" + name + "(Tensor self, Tensor other) -> Tensor",
              (call, t) ->
                  Arg.of(
                      t.binary(
                          "stablehlo." + name,
                          t.operand(call.arg("self"), ElementType.I1),
                          t.operand(call.arg("other"), ElementType.I1)))));
    }
    return out.add(
            AtenOp.of(
                "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
                Comparisons::where),
            AtenOp.of(
                "where.ScalarSelf(Tensor condition, Scalar self, Tensor other) -> Tensor",
                Comparisons::where),
            AtenOp.of(
                "where.ScalarOther(Tensor condition, Tensor self, Scalar other) -> Tensor",
                Comparisons::where),
            AtenOp.of(
                "where.Scalar(Tensor condition, Scalar self, Scalar other) -> Tensor",
                Comparisons::where),
            AtenOp.of(
                "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
                Comparisons::maskedFill),
            AtenOp.of(
                "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
                Comparisons::maskedFill),
            AtenOp.of(
                "isclose(Tensor self, Tensor other, float rtol=1e-05, float atol=1e-08, bool"
                    + " equal_nan=False) -> Tensor",
                Comparisons::isClose),
            AtenOp.of("heaviside(Tensor self, Tensor values) -> Tensor", Comparisons::heaviside),
            AtenOp.of(
                "isin.Tensor_Tensor(Tensor elements, Tensor test_elements, *, bool"
                    + " assume_unique=False, bool invert=False) -> Tensor",
                Comparisons::isIn),
            AtenOp.of(
                "bucketize.Tensor(Tensor self, Tensor boundaries, *, bool out_int32=False, bool"
                    + " right=False) -> Tensor",
                Comparisons::bucketize))
        .build();
  }

  private static AtenOp.Rule compared(String direction) {
    return (call, t) -> {
      Arg left = call.arg("self");
      Arg right = call.arg("other");
      ElementType element = new Promotion().add(left).add(right).result();
      return Arg.of(t.compare(direction, t.operand(left, element), t.operand(right, element)));
    };
  }

  private static Arg where(AtenCall call, Tensors t) {
    ElementType element = new Promotion().add(call.arg("self")).add(call.arg("other")).result();
    return Arg.of(
        t.select(
            t.convert(call.tensor("condition"), ElementType.I1),
            t.operand(call.arg("self"), element),
            t.operand(call.arg("other"), element)));
  }

  private static Arg maskedFill(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value mask = t.convert(call.tensor("mask"), ElementType.I1);
    Value value = t.operand(call.arg("value"), Tensors.element(self));
    return Arg.of(t.select(mask, value, self));
  }

  private static Arg isClose(AtenCall call, Tensors t) {
    ElementType element = new Promotion().add(call.arg("self")).add(call.arg("other")).result();
    Value a = t.operand(call.arg("self"), Promotion.floating(element));
    Value b = t.operand(call.arg("other"), Promotion.floating(element));
    Value apart = t.unary("stablehlo.abs", t.subtract(a, b));
    Value size = t.unary("stablehlo.abs", b);
    Value allowed =
        t.add(t.like(size, call.real("atol")), t.multiply(size, t.like(size, call.real("rtol"))));
    Value finite =
        t.op("stablehlo.is_finite", Tensors.type(apart).withElement(ElementType.I1), apart);
    Value close = t.or(t.and(t.compare("LE", apart, allowed), finite), t.compare("EQ", a, b));
    return Arg.of(
        call.flag("equal_nan")
            ? t.or(close, t.and(t.compare("NE", a, a), t.compare("NE", b, b)))
            : close);
  }

  private static Arg heaviside(AtenCall call, Tensors t) {
    Value x = call.tensor("self");
    Value step = t.select(t.compare("GT", x, t.like(x, 0)), t.like(x, 1), t.like(x, 0));
    Value nan = t.select(t.compare("NE", x, x), x, step);
    return Arg.of(t.select(t.compare("EQ", x, t.like(x, 0)), call.tensor("values"), nan));
  }

  private static Arg isIn(AtenCall call, Tensors t) {
    Value x = call.tensor("elements");
    Value tests = call.tensor("test_elements");
    int rank = Tensors.rank(x);
    long[] dims = java.util.Arrays.copyOf(Tensors.dims(x), rank + 1);
    dims[rank] = 1;
    Value flat = t.reshape(tests, Tensors.type(tests).count());
    Value equal = t.compare("EQ", t.reshape(x, dims), flat);
    Value any = t.reduce(dev.lockstep.hlo.op.kernel.ReductionKind.OR, equal, rank);
    return Arg.of(call.flag("invert") ? t.not(any) : any);
  }

  /** The number of boundaries below each element. */
  private static Arg bucketize(AtenCall call, Tensors t) {
    Value x = call.tensor("self");
    int rank = Tensors.rank(x);
    long[] dims = java.util.Arrays.copyOf(Tensors.dims(x), rank + 1);
    dims[rank] = 1;
    String direction = call.flag("right") ? "LE" : "LT";
    Value below = t.compare(direction, call.tensor("boundaries"), t.reshape(x, dims));
    ElementType element = call.flag("out_int32") ? ElementType.I32 : ElementType.I64;
    return Arg.of(
        t.reduce(dev.lockstep.hlo.op.kernel.ReductionKind.ADD, t.convert(below, element), rank));
  }
}
