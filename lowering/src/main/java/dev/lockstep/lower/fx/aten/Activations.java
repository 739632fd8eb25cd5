package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;

/** The functions that stand between layers. */
final class Activations {
  private static final double SQRT_HALF = Math.sqrt(0.5);
  private static final double SQRT_2_OVER_PI = Math.sqrt(2 / Math.PI);
  private static final double GELU_CUBE = 0.044715;

  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of("relu(Tensor self) -> Tensor", Activations::relu),
          AtenOp.of("relu6(Tensor self) -> Tensor", between(0, 6)),
          AtenOp.of(
              "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
              (call, t) -> clamped(call, t, "min_val", "max_val")),
          AtenOp.of(
              "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
              (call, t) -> clamped(call, t, "min", "max")),
          AtenOp.of(
              "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
              (call, t) -> clamped(call, t, "min", "max")),
          AtenOp.of(
              "clamp_min(Tensor self, Scalar min) -> Tensor",
              (call, t) -> clamped(call, t, "min", null)),
          AtenOp.of(
              "clamp_min.Tensor(Tensor self, Tensor min) -> Tensor",
              (call, t) -> clamped(call, t, "min", null)),
          AtenOp.of(
              "clamp_max(Tensor self, Scalar max) -> Tensor",
              (call, t) -> clamped(call, t, null, "max")),
          AtenOp.of(
              "clamp_max.Tensor(Tensor self, Tensor max) -> Tensor",
              (call, t) -> clamped(call, t, null, "max")),
          of("silu(Tensor self) -> Tensor", (call, t, x) -> t.multiply(x, logistic(t, x))),
          of("gelu(Tensor self, *, str approximate='none') -> Tensor", Activations::gelu),
          of("mish(Tensor self) -> Tensor", (call, t, x) -> t.multiply(x, tanh(t, softplus(t, x)))),
          of(
              "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
              Activations::softplus),
          of("log_sigmoid(Tensor self) -> Tensor", (call, t, x) -> logSigmoid(t, x)),
          AtenOp.of(
              "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)",
              (call, t) ->
                  Arg.items(
                      ImmutableList.of(
                          Elementwise.floating(t, call.tensor("self"), x -> logSigmoid(t, x)),
                          logSigmoidBuffer(call, t)))),
          of(
              "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
              (call, t, x) ->
                  positiveElse(t, x, t.multiply(x, t.like(x, call.real("negative_slope"))))),
          of(
              "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
              Activations::elu),
          of("selu(Tensor self) -> Tensor", Activations::selu),
          of(
              "celu(Tensor self, Scalar alpha=1.0) -> Tensor",
              (call, t, x) -> {
                double alpha = call.real("alpha");
                Value grown = expm1(t, t.divide(x, t.like(x, alpha)));
                return positiveElse(t, x, t.multiply(grown, t.like(x, alpha)));
              }),
          of("hardsigmoid(Tensor self) -> Tensor", (call, t, x) -> hardSigmoid(t, x)),
          of("hardswish(Tensor self) -> Tensor", (call, t, x) -> t.multiply(x, hardSigmoid(t, x))),
          of(
              "softsign(Tensor self) -> Tensor",
              (call, t, x) -> t.divide(x, t.add(t.like(x, 1), t.unary("stablehlo.abs", x)))),
          of(
              "threshold(Tensor self, Scalar threshold, Scalar value) -> Tensor",
              (call, t, x) ->
                  t.select(
                      t.compare("LE", x, t.like(x, call.real("threshold"))),
                      t.like(x, call.real("value")),
                      x)),
          of(
              "hardshrink(Tensor self, Scalar lambd=0.5) -> Tensor",
              (call, t, x) ->
                  t.select(
                      t.compare("LE", t.unary("stablehlo.abs", x), t.like(x, call.real("lambd"))),
                      t.like(x, 0),
                      x)),
          of("softshrink(Tensor self, Scalar lambd=0.5) -> Tensor", Activations::softShrink),
          AtenOp.of("prelu(Tensor self, Tensor weight) -> Tensor", Activations::prelu),
          AtenOp.of("_prelu_kernel(Tensor self, Tensor weight) -> Tensor", Activations::prelu),
          AtenOp.of("glu(Tensor self, int dim=-1) -> Tensor", Activations::glu));

  private Activations() {}

  private interface Function {
    Value of(AtenCall call, Tensors tensors, Value value);
  }

  private static AtenOp of(String schema, Function function) {
    return AtenOp.of(
        schema,
        (call, t) -> Elementwise.floating(t, call.tensor("self"), x -> function.of(call, t, x)));
  }

  static Value logistic(Tensors t, Value x) {
    return t.unary("stablehlo.logistic", x);
  }

  static Value tanh(Tensors t, Value x) {
    return t.unary("stablehlo.tanh", x);
  }

  static Value expm1(Tensors t, Value x) {
    return t.unary("stablehlo.exponential_minus_one", x);
  }

  private static Value positiveElse(Tensors t, Value x, Value otherwise) {
    return t.select(t.compare("GT", x, t.like(x, 0)), x, otherwise);
  }

  private static Arg relu(AtenCall call, Tensors t) {
    Value x = call.tensor("self");
    return Arg.of(t.maximum(x, t.like(x, 0)));
  }

  private static AtenOp.Rule between(double low, double high) {
    return (call, t) -> {
      Value x = call.tensor("self");
      return Arg.of(t.minimum(t.maximum(x, t.like(x, low)), t.like(x, high)));
    };
  }

  private static Arg clamped(
      AtenCall call,
      Tensors t,
      @org.jspecify.annotations.Nullable String low,
      @org.jspecify.annotations.Nullable String high) {
    boolean hasLow = low != null && call.has(low);
    boolean hasHigh = high != null && call.has(high);
    Promotion promotion = new Promotion().add(call.arg("self"));
    if (hasLow) {
      promotion.add(call.arg(java.util.Objects.requireNonNull(low)));
    }
    if (hasHigh) {
      promotion.add(call.arg(java.util.Objects.requireNonNull(high)));
    }
    ElementType element = promotion.result();
    Value out = t.convert(call.tensor("self"), element);
    if (hasLow) {
      out = t.maximum(out, t.operand(call.arg(java.util.Objects.requireNonNull(low)), element));
    }
    if (hasHigh) {
      out = t.minimum(out, t.operand(call.arg(java.util.Objects.requireNonNull(high)), element));
    }
    return Arg.of(out);
  }

  private static Value gelu(AtenCall call, Tensors t, Value x) {
    Value half = t.multiply(x, t.like(x, 0.5));
    return switch (call.text("approximate")) {
      case "none" -> t.multiply(half, t.add(t.like(x, 1), erfPart(t, x)));
      case "tanh" -> t.multiply(half, t.add(t.like(x, 1), tanh(t, geluInner(t, x))));
      default -> throw call.error("approximate is '" + call.text("approximate") + "'");
    };
  }

  /** {@code erf(x / sqrt(2))}. */
  static Value erfPart(Tensors t, Value x) {
    return t.unary("chlo.erf", t.multiply(x, t.like(x, SQRT_HALF)));
  }

  /** What the tanh of the approximate GELU is taken of. */
  static Value geluInner(Tensors t, Value x) {
    Value cube = t.multiply(t.multiply(x, x), x);
    Value sum = t.add(x, t.multiply(cube, t.like(x, GELU_CUBE)));
    return t.multiply(sum, t.like(x, SQRT_2_OVER_PI));
  }

  /** {@code log(1 + exp(x))}, without overflow. */
  private static Value softplus(Tensors t, Value x) {
    Value small = t.unary("stablehlo.exponential", t.negate(t.unary("stablehlo.abs", x)));
    return t.add(t.maximum(x, t.like(x, 0)), t.unary("stablehlo.log_plus_one", small));
  }

  private static Value softplus(AtenCall call, Tensors t, Value x) {
    double beta = call.real("beta");
    Value scaled = t.multiply(x, t.like(x, beta));
    Value out = t.divide(softplus(t, scaled), t.like(x, beta));
    return t.select(t.compare("GT", scaled, t.like(x, call.real("threshold"))), x, out);
  }

  static Value logSigmoid(Tensors t, Value x) {
    return t.negate(softplus(t, t.negate(x)));
  }

  /** What torch keeps for the gradient: on a CPU exp(-abs(x)), on other devices nothing. */
  private static Arg logSigmoidBuffer(AtenCall call, Tensors t) {
    if (call.outcome().types().size() == 2 && call.outcome().types().get(1).count() == 0) {
      return Arg.of(t.full(call.type("self").withDims(0), 0L));
    }
    return Elementwise.floating(
        t,
        call.tensor("self"),
        x -> t.unary("stablehlo.exponential", t.negate(t.unary("stablehlo.abs", x))));
  }

  private static Value elu(AtenCall call, Tensors t, Value x) {
    double scale = call.real("scale");
    Value grown = expm1(t, t.multiply(x, t.like(x, call.real("input_scale"))));
    return t.select(
        t.compare("GT", x, t.like(x, 0)),
        t.multiply(x, t.like(x, scale)),
        t.multiply(grown, t.like(x, call.real("alpha") * scale)));
  }

  private static Value selu(AtenCall call, Tensors t, Value x) {
    double alpha = 1.6732632423543772;
    double scale = 1.0507009873554805;
    return t.select(
        t.compare("GT", x, t.like(x, 0)),
        t.multiply(x, t.like(x, scale)),
        t.multiply(expm1(t, x), t.like(x, alpha * scale)));
  }

  private static Value softShrink(AtenCall call, Tensors t, Value x) {
    Value lambda = t.like(x, call.real("lambd"));
    Value high = t.select(t.compare("GT", x, lambda), t.subtract(x, lambda), t.like(x, 0));
    return t.select(t.compare("LT", x, t.negate(lambda)), t.add(x, lambda), high);
  }

  private static Value hardSigmoid(Tensors t, Value x) {
    Value shifted = t.add(x, t.like(x, 3));
    Value clamped = t.minimum(t.maximum(shifted, t.like(x, 0)), t.like(x, 6));
    return t.divide(clamped, t.like(x, 6));
  }

  private static Arg prelu(AtenCall call, Tensors t) {
    Value x = call.tensor("self");
    Value weight = call.tensor("weight");
    int rank = Tensors.rank(x);
    if (Tensors.rank(weight) == 1 && rank > 1) {
      long[] dims = new long[rank];
      java.util.Arrays.fill(dims, 1);
      dims[1] = Tensors.dims(weight)[0];
      weight = t.reshape(weight, dims);
    }
    return Arg.of(positiveElse(t, x, t.multiply(x, weight)));
  }

  private static Arg glu(AtenCall call, Tensors t) {
    Value x = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(x));
    long size = Tensors.dims(x)[dim];
    if (size % 2 != 0) {
      throw call.error("dimension " + dim + " has " + size + " elements, must be even");
    }
    Value left = t.wide(t.slice(x, dim, 0, size / 2, 1));
    Value right = t.wide(t.slice(x, dim, size / 2, size, 1));
    return Arg.of(t.convert(t.multiply(left, logistic(t, right)), Tensors.element(x)));
  }
}
