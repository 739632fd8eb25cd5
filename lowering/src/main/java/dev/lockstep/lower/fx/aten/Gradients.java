package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;

/** The gradients of activations. */
final class Gradients {
  private static final double SQRT_2_OVER_PI = Math.sqrt(2 / Math.PI);
  private static final double NORMAL = 1 / Math.sqrt(2 * Math.PI);
  private static final double GELU_CUBE = 0.044715;

  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          of(
              "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> "
                  + "Tensor",
              "self",
              Gradients::threshold),
          of(
              "gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') "
                  + "-> Tensor",
              "self",
              Gradients::gelu),
          of(
              "silu_backward(Tensor grad_output, Tensor self) -> Tensor",
              "self",
              (call, t, g, x) -> silu(t, g, x)),
          of(
              "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
              "output",
              (call, t, g, y) -> t.multiply(g, t.multiply(t.subtract(t.like(y, 1), y), y))),
          of(
              "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
              "output",
              (call, t, g, y) -> t.multiply(g, t.subtract(t.like(y, 1), t.multiply(y, y)))),
          of(
              "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, "
                  + "bool self_is_result) -> Tensor",
              "self",
              (call, t, g, x) ->
                  t.select(
                      t.compare("GT", x, t.like(x, 0)),
                      g,
                      t.multiply(g, t.like(g, call.real("negative_slope"))))),
          of(
              "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar "
                  + "input_scale, bool is_result, Tensor self_or_result) -> Tensor",
              "self_or_result",
              Gradients::elu),
          of(
              "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar "
                  + "threshold) -> Tensor",
              "self",
              Gradients::softplus),
          of(
              "hardsigmoid_backward(Tensor grad_output, Tensor self) -> Tensor",
              "self",
              (call, t, g, x) ->
                  inside(t, x, -3, 3, t.multiply(g, t.like(g, 1.0 / 6)), t.like(g, 0))),
          of(
              "hardswish_backward(Tensor grad_output, Tensor self) -> Tensor",
              "self",
              Gradients::hardswish),
          of(
              "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar "
                  + "max_val) -> Tensor",
              "self",
              (call, t, g, x) ->
                  inside(t, x, call.real("min_val"), call.real("max_val"), g, t.like(g, 0))),
          of(
              "log_sigmoid_backward(Tensor grad_output, Tensor self, Tensor buffer) -> " + "Tensor",
              "self",
              (call, t, g, x) -> t.multiply(g, Activations.logistic(t, t.negate(x)))),
          of("mish_backward(Tensor grad_output, Tensor self) -> Tensor", "self", Gradients::mish),
          AtenOp.of(
              "glu_backward(Tensor grad_output, Tensor self, int dim) -> Tensor", Gradients::glu));

  private Gradients() {}

  private interface Function {
    Value of(AtenCall call, Tensors tensors, Value gradient, Value at);
  }

  private static AtenOp of(String schema, String at, Function function) {
    return AtenOp.of(
        schema,
        (call, t) -> {
          ElementType element = call.type("grad_output").element();
          Value gradient = t.wide(call.tensor("grad_output"));
          Value place = t.convert(call.tensor(at), Tensors.element(gradient));
          return Arg.of(t.convert(function.of(call, t, gradient, place), element));
        });
  }

  /** {@code within} where {@code low < x < high}. */
  private static Value inside(
      Tensors t, Value x, double low, double high, Value within, Value outside) {
    Value holds = t.and(t.compare("GT", x, t.like(x, low)), t.compare("LT", x, t.like(x, high)));
    return t.select(holds, within, outside);
  }

  private static Value threshold(AtenCall call, Tensors t, Value g, Value x) {
    return t.select(
        t.compare("LE", x, t.like(x, Tensors.toDouble(call.number("threshold")))), t.like(g, 0), g);
  }

  private static Value gelu(AtenCall call, Tensors t, Value g, Value x) {
    Value one = t.like(x, 1);
    if (call.text("approximate").equals("tanh")) {
      Value inner = Activations.geluInner(t, x);
      Value tanh = Activations.tanh(t, inner);
      Value square = t.multiply(x, x);
      Value slope =
          t.multiply(
              t.add(one, t.multiply(square, t.like(x, 3 * GELU_CUBE))), t.like(x, SQRT_2_OVER_PI));
      Value left = t.multiply(t.add(one, tanh), t.like(x, 0.5));
      Value right =
          t.multiply(
              t.multiply(x, t.like(x, 0.5)),
              t.multiply(t.subtract(one, t.multiply(tanh, tanh)), slope));
      return t.multiply(g, t.add(left, right));
    }
    Value below = t.multiply(t.add(one, Activations.erfPart(t, x)), t.like(x, 0.5));
    Value density =
        t.multiply(
            t.unary("stablehlo.exponential", t.multiply(t.multiply(x, x), t.like(x, -0.5))),
            t.like(x, NORMAL));
    return t.multiply(g, t.add(below, t.multiply(x, density)));
  }

  private static Value silu(Tensors t, Value g, Value x) {
    Value y = Activations.logistic(t, x);
    Value one = t.like(x, 1);
    Value slope = t.multiply(y, t.add(one, t.multiply(x, t.subtract(one, y))));
    return t.multiply(g, slope);
  }

  private static Value elu(AtenCall call, Tensors t, Value g, Value x) {
    double alpha = call.real("alpha");
    double scale = call.real("scale");
    double input = call.real("input_scale");
    Value negative =
        call.flag("is_result")
            ? t.multiply(t.add(x, t.like(x, alpha * scale)), t.like(x, input))
            : t.multiply(
                t.unary("stablehlo.exponential", t.multiply(x, t.like(x, input))),
                t.like(x, alpha * scale * input));
    return t.multiply(g, t.select(t.compare("LE", x, t.like(x, 0)), negative, t.like(x, scale)));
  }

  private static Value softplus(AtenCall call, Tensors t, Value g, Value x) {
    Value scaled = t.multiply(x, t.like(x, call.real("beta")));
    Value slope = t.multiply(g, Activations.logistic(t, scaled));
    return t.select(t.compare("GT", scaled, t.like(x, call.real("threshold"))), g, slope);
  }

  private static Value hardswish(AtenCall call, Tensors t, Value g, Value x) {
    Value middle = t.multiply(g, t.add(t.divide(x, t.like(x, 3)), t.like(x, 0.5)));
    Value high = t.select(t.compare("GE", x, t.like(x, 3)), g, t.like(g, 0));
    return inside(t, x, -3, 3, middle, high);
  }

  private static Value mish(AtenCall call, Tensors t, Value g, Value x) {
    Value sigmoid = Activations.logistic(t, x);
    Value tanh = Activations.tanh(t, t.negate(Activations.logSigmoid(t, t.negate(x))));
    Value rest = t.subtract(t.like(x, 1), t.multiply(tanh, tanh));
    return t.multiply(g, t.add(tanh, t.multiply(x, t.multiply(sigmoid, rest))));
  }

  private static Arg glu(AtenCall call, Tensors t) {
    Value x = call.tensor("self");
    Value g = t.wide(call.tensor("grad_output"));
    int dim = call.dim("dim", Tensors.rank(x));
    long half = Tensors.dims(x)[dim] / 2;
    Value left = t.wide(t.slice(x, dim, 0, half, 1));
    Value gate = Activations.logistic(t, t.wide(t.slice(x, dim, half, 2 * half, 1)));
    Value first = t.multiply(g, gate);
    Value second = t.multiply(t.multiply(first, t.subtract(t.like(gate, 1), gate)), left);
    Value joined = t.builder().concatenate(ImmutableList.of(first, second), dim);
    return Arg.of(t.convert(joined, Tensors.element(x)));
  }
}
