package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import java.util.function.BinaryOperator;

/** Sums, products, quotients and powers of tensors and numbers. */
final class Arithmetic {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", sum()),
          AtenOp.of("add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", sum()),
          AtenOp.of("sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", sub()),
          AtenOp.of("sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", sub()),
          AtenOp.of("rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor", rsub()),
          AtenOp.of("rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor", rsub()),
          AtenOp.of("mul.Tensor(Tensor self, Tensor other) -> Tensor", Arithmetic::mul),
          AtenOp.of("mul.Scalar(Tensor self, Scalar other) -> Tensor", Arithmetic::mul),
          AtenOp.of("multiply.Tensor(Tensor self, Tensor other) -> Tensor", Arithmetic::mul),
          AtenOp.of("div.Tensor(Tensor self, Tensor other) -> Tensor", Arithmetic::div),
          AtenOp.of("div.Scalar(Tensor self, Scalar other) -> Tensor", Arithmetic::div),
          AtenOp.of("true_divide.Tensor(Tensor self, Tensor other) -> Tensor", Arithmetic::div),
          AtenOp.of(
              "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
              Arithmetic::divRounded),
          AtenOp.of(
              "div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
              Arithmetic::divRounded),
          AtenOp.of("floor_divide(Tensor self, Tensor other) -> Tensor", floored()),
          AtenOp.of("floor_divide.Scalar(Tensor self, Scalar other) -> Tensor", floored()),
          AtenOp.of("remainder.Tensor(Tensor self, Tensor other) -> Tensor", remainder()),
          AtenOp.of("remainder.Scalar(Tensor self, Scalar other) -> Tensor", remainder()),
          AtenOp.of("remainder.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", remainder()),
          AtenOp.of("fmod.Tensor(Tensor self, Tensor other) -> Tensor", fmod()),
          AtenOp.of("fmod.Scalar(Tensor self, Scalar other) -> Tensor", fmod()),
          AtenOp.of("pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor", Arithmetic::pow),
          AtenOp.of("pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor", Arithmetic::pow),
          AtenOp.of("pow.Scalar(Scalar self, Tensor exponent) -> Tensor", Arithmetic::pow),
          AtenOp.of("maximum(Tensor self, Tensor other) -> Tensor", simple("maximum")),
          AtenOp.of("minimum(Tensor self, Tensor other) -> Tensor", simple("minimum")),
          AtenOp.of("max.other(Tensor self, Tensor other) -> Tensor", simple("maximum")),
          AtenOp.of("min.other(Tensor self, Tensor other) -> Tensor", simple("minimum")),
          AtenOp.of("fmax(Tensor self, Tensor other) -> Tensor", withoutNan("maximum")),
          AtenOp.of("fmin(Tensor self, Tensor other) -> Tensor", withoutNan("minimum")),
          AtenOp.of("atan2(Tensor self, Tensor other) -> Tensor", floating("atan2")),
          AtenOp.of("hypot(Tensor self, Tensor other) -> Tensor", Arithmetic::hypot),
          AtenOp.of("logaddexp(Tensor self, Tensor other) -> Tensor", Arithmetic::logaddexp),
          AtenOp.of("copysign.Tensor(Tensor self, Tensor other) -> Tensor", Arithmetic::copysign),
          AtenOp.of("copysign.Scalar(Tensor self, Scalar other) -> Tensor", Arithmetic::copysign),
          AtenOp.of("xlogy.Tensor(Tensor self, Tensor other) -> Tensor", Arithmetic::xlogy),
          AtenOp.of("bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", simple("and")),
          AtenOp.of("bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", simple("and")),
          AtenOp.of("bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", simple("or")),
          AtenOp.of("bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", simple("or")),
          AtenOp.of("bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", simple("xor")),
          AtenOp.of("bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", simple("xor")),
          AtenOp.of("__and__.Tensor(Tensor self, Tensor other) -> Tensor", simple("and")),
          AtenOp.of("__or__.Tensor(Tensor self, Tensor other) -> Tensor", simple("or")),
          AtenOp.of("__xor__.Tensor(Tensor self, Tensor other) -> Tensor", simple("xor")),
          AtenOp.of(
              "bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor",
              simple("shift_left")),
          AtenOp.of(
              "bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
              simple("shift_left")),
          AtenOp.of(
              "bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor",
              simple("shift_right_arithmetic")),
          AtenOp.of(
              "bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
              simple("shift_right_arithmetic")),
          AtenOp.of("__lshift__.Scalar(Tensor self, Scalar other) -> Tensor", simple("shift_left")),
          AtenOp.of(
              "__rshift__.Scalar(Tensor self, Scalar other) -> Tensor",
              simple("shift_right_arithmetic")));

  private Arithmetic() {}

  /** What is done to operands of one type. */
  interface Combine extends BinaryOperator<Value> {}

  /** Promotes the operands of a call and joins them; narrow floats are joined in f32. */
  static Arg joined(AtenCall call, Tensors t, boolean floating, Combine combine) {
    Arg left = call.arg(call.schema().parameters().get(0).name());
    Arg right = call.arg(call.schema().parameters().get(1).name());
    ElementType element = new Promotion().add(left).add(right).result();
    element = floating ? Promotion.floating(element) : element;
    return joined(t, left, right, element, combine);
  }

  private static Arg joined(Tensors t, Arg left, Arg right, ElementType element, Combine combine) {
    ElementType wide = Promotion.wide(element);
    Value result = combine.apply(t.operand(left, wide), t.operand(right, wide));
    return Arg.of(t.convert(result, element));
  }

  private static AtenOp.Rule simple(String op) {
    return (call, t) -> joined(call, t, false, (a, b) -> t.binary("stablehlo." + op, a, b));
  }

  private static AtenOp.Rule floating(String op) {
    return (call, t) -> joined(call, t, true, (a, b) -> t.binary("stablehlo." + op, a, b));
  }

  /** The larger or smaller, where NaN counts as missing. */
  private static AtenOp.Rule withoutNan(String op) {
    return (call, t) ->
        joined(
            call,
            t,
            false,
            (a, b) -> {
              Value joined = t.binary("stablehlo." + op, a, b);
              if (!Tensors.element(a).isFloat()) {
                return joined;
              }
              Value leftNan = t.compare("NE", a, a);
              Value rightNan = t.compare("NE", b, b);
              return t.select(leftNan, b, t.select(rightNan, a, joined));
            });
  }

  private static AtenOp.Rule sum() {
    return (call, t) -> scaled(call, t, "self", "other", "stablehlo.add");
  }

  private static AtenOp.Rule sub() {
    return (call, t) -> scaled(call, t, "self", "other", "stablehlo.subtract");
  }

  private static AtenOp.Rule rsub() {
    return (call, t) -> scaled(call, t, "other", "self", "stablehlo.subtract");
  }

  /** {@code left op alpha * right}. */
  private static Arg scaled(AtenCall call, Tensors t, String left, String right, String op) {
    Arg alpha = call.number("alpha");
    ElementType element = new Promotion().add(call.arg(left)).add(call.arg(right)).result();
    if (element.isBool() && op.equals("stablehlo.add")) {
      return joined(t, call.arg(left), call.arg(right), element, t::or);
    }
    return joined(
        t,
        call.arg(left),
        call.arg(right),
        element,
        (a, b) -> t.binary(op, a, Tensors.toDouble(alpha) == 1 ? b : times(t, b, alpha)));
  }

  /** Returns {@code value} times a number of its own type. */
  static Value times(Tensors t, Value value, Arg number) {
    return t.multiply(value, t.full(Tensors.type(value), number));
  }

  private static Arg mul(AtenCall call, Tensors t) {
    return joined(
        call, t, false, (a, b) -> Tensors.element(a).isBool() ? t.and(a, b) : t.multiply(a, b));
  }

  private static Arg div(AtenCall call, Tensors t) {
    return joined(call, t, true, t::divide);
  }

  private static Arg divRounded(AtenCall call, Tensors t) {
    if (!call.has("rounding_mode")) {
      return div(call, t);
    }
    return switch (call.text("rounding_mode")) {
      case "floor" -> joined(call, t, false, (a, b) -> floorDivide(t, a, b));
      case "trunc" -> joined(call, t, false, (a, b) -> truncated(t, t.divide(a, b)));
      default -> throw call.error("rounding_mode is '" + call.text("rounding_mode") + "'");
    };
  }

  private static AtenOp.Rule floored() {
    return (call, t) -> joined(call, t, false, (a, b) -> floorDivide(t, a, b));
  }

  /** Returns {@code value} rounded towards zero; integers are. */
  static Value truncated(Tensors t, Value value) {
    if (!Tensors.element(value).isFloat()) {
      return value;
    }
    Value size = t.unary("stablehlo.floor", t.unary("stablehlo.abs", value));
    return copySign(t, size, value);
  }

  /** Returns the size of {@code size} with the sign bit of {@code sign}. */
  static Value copySign(Tensors t, Value size, Value sign) {
    ElementType bits = Tensors.element(sign) == ElementType.F64 ? ElementType.I64 : ElementType.I32;
    Value raw = t.builder().bitcastConvert(sign, Tensors.type(sign).withElement(bits));
    Value negative = t.compare("LT", raw, t.like(raw, 0));
    Value positive = t.unary("stablehlo.abs", size);
    return t.select(negative, t.negate(positive), positive);
  }

  private static Value floorDivide(Tensors t, Value a, Value b) {
    if (Tensors.element(a).isUnsigned()) {
      return t.divide(a, b);
    }
    if (Tensors.element(a).isFloat()) {
      // As torch: from the remainder, so that the quotient agrees with it.
      Value rest = t.binary("stablehlo.remainder", a, b);
      Value exact = t.divide(t.subtract(a, rest), b);
      Value apart = t.and(t.compare("NE", rest, t.like(rest, 0)), unlike(t, rest, b));
      Value lower = t.select(apart, t.subtract(exact, t.like(exact, 1)), exact);
      Value rounded = t.unary("stablehlo.floor", t.add(lower, t.like(lower, 0.5)));
      Value byZero = t.compare("EQ", b, t.like(b, 0));
      return t.select(byZero, t.divide(a, b), rounded);
    }
    Value quotient = t.divide(a, b);
    Value rest = t.binary("stablehlo.remainder", a, b);
    Value apart = t.and(t.compare("NE", rest, t.like(rest, 0)), unlike(t, rest, b));
    return t.select(apart, t.subtract(quotient, t.like(quotient, 1)), quotient);
  }

  private static Value unlike(Tensors t, Value a, Value b) {
    return t.compare("NE", t.compare("LT", a, t.like(a, 0)), t.compare("LT", b, t.like(b, 0)));
  }

  /** The remainder with the sign of the divisor. */
  private static AtenOp.Rule remainder() {
    return (call, t) ->
        joined(
            call,
            t,
            false,
            (a, b) -> {
              Value rest = t.binary("stablehlo.remainder", a, b);
              if (Tensors.element(a).isUnsigned()) {
                return rest;
              }
              Value apart = t.and(t.compare("NE", rest, t.like(rest, 0)), unlike(t, rest, b));
              return t.select(apart, t.add(rest, b), rest);
            });
  }

  private static AtenOp.Rule fmod() {
    return (call, t) -> joined(call, t, false, (a, b) -> t.binary("stablehlo.remainder", a, b));
  }

  private static Arg pow(AtenCall call, Tensors t) {
    Arg exponent = call.arg("exponent");
    Arg base = call.arg("self");
    ElementType element = new Promotion().add(base).add(exponent).result();
    if (exponent.isNumber() && !element.isBool()) {
      double power = Tensors.toDouble(exponent);
      Value value = t.operand(base, Promotion.wide(element));
      if (power == 2 || power == 3) {
        Value square = t.multiply(value, value);
        return Arg.of(t.convert(power == 2 ? square : t.multiply(square, value), element));
      }
      if (power == 1) {
        return Arg.of(t.convert(value, element));
      }
      if (element.isFloat() && (power == 0.5 || power == -0.5)) {
        String root = power > 0 ? "stablehlo.sqrt" : "stablehlo.rsqrt";
        return Arg.of(t.convert(t.unary(root, value), element));
      }
      if (element.isFloat() && (power == -1 || power == -2)) {
        Value divisor = power == -1 ? value : t.multiply(value, value);
        return Arg.of(t.convert(t.divide(t.like(divisor, 1), divisor), element));
      }
    }
    return joined(t, base, exponent, element, (a, b) -> t.binary("stablehlo.power", a, b));
  }

  private static Arg hypot(AtenCall call, Tensors t) {
    return joined(
        call,
        t,
        true,
        (a, b) -> t.unary("stablehlo.sqrt", t.add(t.multiply(a, a), t.multiply(b, b))));
  }

  private static Arg logaddexp(AtenCall call, Tensors t) {
    return joined(
        call,
        t,
        true,
        (a, b) -> {
          Value larger = t.maximum(a, b);
          Value apart = t.negate(t.unary("stablehlo.abs", t.subtract(a, b)));
          Value sum =
              t.add(
                  larger,
                  t.unary("stablehlo.log_plus_one", t.unary("stablehlo.exponential", apart)));
          // Two equal infinities have no difference.
          Value same = t.and(t.compare("EQ", a, b), Elementwise.isInfinite(t, a));
          return t.select(same, a, sum);
        });
  }

  private static Arg copysign(AtenCall call, Tensors t) {
    return joined(
        call,
        t,
        true,
        (a, b) -> {
          long[] dims = Tensors.broadcastDims(a, b);
          return copySign(t, t.broadcast(a, dims), t.broadcast(b, dims));
        });
  }

  /** {@code a * log(b)}, zero where {@code a} is, unless {@code b} is NaN. */
  private static Arg xlogy(AtenCall call, Tensors t) {
    return joined(
        call,
        t,
        true,
        (a, b) -> {
          Value product = t.multiply(a, t.unary("stablehlo.log", b));
          Value zero = t.and(t.compare("EQ", a, t.like(a, 0)), t.compare("EQ", b, b));
          return t.select(zero, t.like(product, 0), product);
        });
  }
}
