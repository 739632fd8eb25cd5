package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import java.util.function.UnaryOperator;

/** Functions of one tensor, element by element. */
final class Elementwise {
  private static final double LN2 = Math.log(2);
  private static final double LN10 = Math.log(10);

  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of("abs(Tensor self) -> Tensor", Elementwise::abs),
          floating("acos", "chlo.acos"),
          floating("acosh", "chlo.acosh"),
          floating("asin", "chlo.asin"),
          floating("asinh", "chlo.asinh"),
          floating("atan", "chlo.atan"),
          floating("atanh", "chlo.atanh"),
          AtenOp.of("bitwise_not(Tensor self) -> Tensor", same("stablehlo.not")),
          rounding("ceil", "stablehlo.ceil"),
          floating("cos", "stablehlo.cosine"),
          floating("cosh", "chlo.cosh"),
          of("deg2rad", (t, x) -> t.multiply(x, t.like(x, Math.PI / 180))),
          of("digamma", Elementwise::digamma),
          floating("erf", "chlo.erf"),
          floating("erfc", "chlo.erfc"),
          floating("erfinv", "chlo.erf_inv"),
          floating("exp", "stablehlo.exponential"),
          of("exp2", (t, x) -> t.unary("stablehlo.exponential", t.multiply(x, t.like(x, LN2)))),
          floating("expm1", "stablehlo.exponential_minus_one"),
          rounding("floor", "stablehlo.floor"),
          of("frac", (t, x) -> t.subtract(x, Arithmetic.truncated(t, x))),
          AtenOp.of(
              "isfinite(Tensor self) -> Tensor",
              test((t, x) -> t.op("stablehlo.is_finite", truth(x), x), true)),
          AtenOp.of("isinf(Tensor self) -> Tensor", test(Elementwise::isInfinite, false)),
          AtenOp.of("isnan(Tensor self) -> Tensor", test((t, x) -> t.compare("NE", x, x), false)),
          AtenOp.of(
              "isneginf(Tensor self) -> Tensor",
              test((t, x) -> t.compare("EQ", x, t.like(x, Double.NEGATIVE_INFINITY)), false)),
          AtenOp.of(
              "isposinf(Tensor self) -> Tensor",
              test((t, x) -> t.compare("EQ", x, t.like(x, Double.POSITIVE_INFINITY)), false)),
          floating("lgamma", "chlo.lgamma"),
          floating("log", "stablehlo.log"),
          of("log10", (t, x) -> t.divide(t.unary("stablehlo.log", x), t.like(x, LN10))),
          floating("log1p", "stablehlo.log_plus_one"),
          of("log2", (t, x) -> t.divide(t.unary("stablehlo.log", x), t.like(x, LN2))),
          AtenOp.of(
              "logical_not(Tensor self) -> Tensor",
              (call, t) -> Arg.of(t.not(t.convert(call.tensor("self"), ElementType.I1)))),
          AtenOp.of("logit(Tensor self, float? eps=None) -> Tensor", Elementwise::logit),
          AtenOp.of(
              "nan_to_num(Tensor self, float? nan=None, float? posinf=None, float? neginf=None)"
                  + " -> Tensor",
              Elementwise::nanToNum),
          AtenOp.of("neg(Tensor self) -> Tensor", same("stablehlo.negate")),
          AtenOp.view("positive(Tensor(a) self) -> Tensor(a)", (call, t) -> call.cell("self")),
          of("rad2deg", (t, x) -> t.multiply(x, t.like(x, 180 / Math.PI))),
          of("reciprocal", (t, x) -> t.divide(t.like(x, 1), x)),
          rounding("round", "stablehlo.round_nearest_even"),
          AtenOp.of(
              "round.decimals(Tensor self, *, int decimals) -> Tensor", Elementwise::decimals),
          floating("rsqrt", "stablehlo.rsqrt"),
          AtenOp.of("sgn(Tensor self) -> Tensor", Elementwise::sign),
          floating("sigmoid", "stablehlo.logistic"),
          AtenOp.of("sign(Tensor self) -> Tensor", Elementwise::sign),
          AtenOp.of("signbit(Tensor self) -> Tensor", Elementwise::signBit),
          floating("sin", "stablehlo.sine"),
          of("sinc", Elementwise::sinc),
          floating("sinh", "chlo.sinh"),
          floating("sqrt", "stablehlo.sqrt"),
          AtenOp.of(
              "square(Tensor self) -> Tensor",
              (call, t) -> {
                Value x = t.wide(call.tensor("self"));
                return Arg.of(t.convert(t.multiply(x, x), call.type("self").element()));
              }),
          floating("tan", "stablehlo.tan"),
          floating("tanh", "stablehlo.tanh"),
          AtenOp.of(
              "trunc(Tensor self) -> Tensor",
              (call, t) -> {
                Value rounded = Arithmetic.truncated(t, t.wide(call.tensor("self")));
                return Arg.of(t.convert(rounded, call.type("self").element()));
              }));

  private Elementwise() {}

  /** XLA gives NaN at zero, torch the infinity that it comes from. */
  private static Value digamma(Tensors t, Value x) {
    Value pole = t.divide(t.like(x, -1), x);
    return t.select(t.compare("EQ", x, t.like(x, 0)), pole, t.unary("chlo.digamma", x));
  }

  /** A function of tensors. */
  interface Function {
    Value of(Tensors tensors, Value value);
  }

  private static dev.lockstep.hlo.type.TensorType truth(Value value) {
    return Tensors.type(value).withElement(ElementType.I1);
  }

  private static AtenOp floating(String name, String op) {
    return of(name, (t, x) -> t.unary(op, x));
  }

  /** A function whose result is a float: integers become f32, narrow floats are computed in f32. */
  private static AtenOp of(String name, Function function) {
    return AtenOp.of(
        name + "(Tensor self) -> Tensor",
        (call, t) -> floating(t, call.tensor("self"), x -> function.of(t, x)));
  }

  /** Applies {@code function} in f32 or wider and gives the float type that fits {@code value}. */
  static Arg floating(Tensors t, Value value, UnaryOperator<Value> function) {
    ElementType element = Promotion.floating(Tensors.element(value));
    Value wide = t.convert(value, Promotion.wide(element));
    return Arg.of(t.convert(function.apply(wide), element));
  }

  private static AtenOp.Rule same(String op) {
    return (call, t) -> Arg.of(t.unary(op, call.tensor("self")));
  }

  private static AtenOp rounding(String name, String op) {
    return AtenOp.of(
        name + "(Tensor self) -> Tensor",
        (call, t) ->
            call.type("self").element().isFloat()
                ? Arg.of(t.unary(op, call.tensor("self")))
                : call.arg("self"));
  }

  /** A question that integers answer with {@code otherwise}. */
  private static AtenOp.Rule test(Function function, boolean otherwise) {
    return (call, t) -> {
      Value value = call.tensor("self");
      return Arg.of(
          Tensors.element(value).isFloat()
              ? function.of(t, value)
              : t.full(truth(value), otherwise ? 1L : 0L));
    };
  }

  /** Returns where {@code value} is an infinity. */
  static Value isInfinite(Tensors t, Value value) {
    Value size = t.unary("stablehlo.abs", value);
    return t.compare("EQ", size, t.like(size, Double.POSITIVE_INFINITY));
  }

  private static Arg abs(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    ElementType element = Tensors.element(value);
    if (element.isBool() || element.isUnsigned()) {
      return call.arg("self");
    }
    return Arg.of(
        t.op("stablehlo.abs", Tensors.type(value).withElement(element.realPart()), value));
  }

  private static Arg sign(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    if (Tensors.element(value).isBool()) {
      return Arg.of(value);
    }
    if (Tensors.element(value).isUnsigned()) {
      return Arg.of(t.convert(t.convert(value, ElementType.I1), Tensors.element(value)));
    }
    Value sign = t.unary("stablehlo.sign", value);
    // torch gives 0 for NaN.
    return Arg.of(
        Tensors.element(value).isFloat()
            ? t.select(t.compare("NE", value, value), t.like(value, 0), sign)
            : sign);
  }

  private static Arg signBit(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    if (!Tensors.element(value).isFloat()) {
      return Arg.of(
          Tensors.element(value).isBool()
              ? t.full(truth(value), 0L)
              : t.compare("LT", value, t.like(value, 0)));
    }
    Value wide = t.wide(value);
    Value sign = Arithmetic.copySign(t, t.like(wide, 1), wide);
    return Arg.of(t.compare("LT", sign, t.like(sign, 0)));
  }

  private static Value sinc(Tensors t, Value x) {
    Value angle = t.multiply(x, t.like(x, Math.PI));
    Value quotient = t.divide(t.unary("stablehlo.sine", angle), angle);
    return t.select(t.compare("EQ", x, t.like(x, 0)), t.like(x, 1), quotient);
  }

  private static Arg logit(AtenCall call, Tensors t) {
    return floating(
        t,
        call.tensor("self"),
        x -> {
          Value inside = x;
          if (call.has("eps")) {
            double eps = call.real("eps");
            inside = t.maximum(t.minimum(x, t.like(x, 1 - eps)), t.like(x, eps));
          }
          return t.unary("stablehlo.log", t.divide(inside, t.subtract(t.like(inside, 1), inside)));
        });
  }

  private static Arg nanToNum(AtenCall call, Tensors t) {
    Value x = call.tensor("self");
    ElementType element = Tensors.element(x);
    if (!element.isFloat()) {
      return call.arg("self");
    }
    double largest = largest(element);
    double nan = call.has("nan") ? call.real("nan") : 0;
    double high = call.has("posinf") ? call.real("posinf") : largest;
    double low = call.has("neginf") ? call.real("neginf") : -largest;
    Value out = t.select(t.compare("NE", x, x), t.like(x, nan), x);
    Value isHigh = t.compare("EQ", x, t.like(x, Double.POSITIVE_INFINITY));
    Value isLow = t.compare("EQ", x, t.like(x, Double.NEGATIVE_INFINITY));
    return Arg.of(t.select(isLow, t.like(x, low), t.select(isHigh, t.like(x, high), out)));
  }

  /** Returns the largest finite number of a float type. */
  static double largest(ElementType element) {
    return switch (element) {
      case F64 -> Double.MAX_VALUE;
      case F32 -> Float.MAX_VALUE;
      case BF16 -> 0x1.FEp127;
      case F16 -> 65504;
      case F8E5M2 -> 57344;
      default -> 448;
    };
  }

  private static Arg decimals(AtenCall call, Tensors t) {
    double scale = Math.pow(10, (double) call.integer("decimals"));
    return floating(
        t,
        call.tensor("self"),
        x -> {
          Value scaled = t.multiply(x, t.like(x, scale));
          return t.divide(t.unary("stablehlo.round_nearest_even", scaled), t.like(x, scale));
        });
  }
}
