package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Sums, means, extremes and the like over dimensions. */
final class Reductions {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of("sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", sum()),
          AtenOp.of(
              "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType?"
                  + " dtype=None) -> Tensor",
              sum()),
          AtenOp.of("mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", mean()),
          AtenOp.of(
              "mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)"
                  + " -> Tensor",
              mean()),
          AtenOp.of("prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", Reductions::prod),
          AtenOp.of(
              "prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None)"
                  + " -> Tensor",
              Reductions::prod),
          AtenOp.of(
              "amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
              extreme(ReductionKind.MAXIMUM)),
          AtenOp.of(
              "amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
              extreme(ReductionKind.MINIMUM)),
          AtenOp.of("max(Tensor self) -> Tensor", extreme(ReductionKind.MAXIMUM)),
          AtenOp.of("min(Tensor self) -> Tensor", extreme(ReductionKind.MINIMUM)),
          AtenOp.of("any(Tensor self) -> Tensor", truth(ReductionKind.OR)),
          AtenOp.of(
              "any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
              truth(ReductionKind.OR)),
          AtenOp.of(
              "any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
              truth(ReductionKind.OR)),
          AtenOp.of("all(Tensor self) -> Tensor", truth(ReductionKind.AND)),
          AtenOp.of(
              "all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
              truth(ReductionKind.AND)),
          AtenOp.of(
              "all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor",
              truth(ReductionKind.AND)),
          AtenOp.of(
              "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool"
                  + " keepdim=False) -> Tensor",
              (call, t) -> spread(call, t, false)),
          AtenOp.of(
              "var(Tensor self, bool unbiased=True) -> Tensor",
              (call, t) -> spread(call, t, false)),
          AtenOp.of(
              "var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
              (call, t) -> spread(call, t, false)),
          AtenOp.of(
              "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool"
                  + " keepdim=False) -> Tensor",
              (call, t) -> spread(call, t, true)),
          AtenOp.of(
              "std(Tensor self, bool unbiased=True) -> Tensor", (call, t) -> spread(call, t, true)),
          AtenOp.of(
              "std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor",
              (call, t) -> spread(call, t, true)),
          AtenOp.of(
              "var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool"
                  + " keepdim=False) -> (Tensor, Tensor)",
              Reductions::varMean),
          AtenOp.of(
              "var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False)"
                  + " -> (Tensor, Tensor)",
              Reductions::varMean),
          AtenOp.of(
              "logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
              Reductions::logSumExp),
          AtenOp.of("count_nonzero(Tensor self, int? dim=None) -> Tensor", Reductions::count),
          AtenOp.of(
              "count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", Reductions::count),
          AtenOp.of(
              "nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None)"
                  + " -> Tensor",
              Reductions::nanSum),
          AtenOp.of("norm.Scalar(Tensor self, Scalar p=2) -> Tensor", norm("p")),
          AtenOp.of(
              "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) ->"
                  + " Tensor",
              norm("p")),
          AtenOp.of(
              "linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False,"
                  + " *, ScalarType? dtype=None) -> Tensor",
              norm("ord")));

  private Reductions() {}

  private static int[] dims(AtenCall call, Value value) {
    return call.schema().parameter("dim") == null
        ? IntStream.range(0, Tensors.rank(value)).toArray()
        : call.dims("dim", Tensors.rank(value));
  }

  private static boolean keep(AtenCall call) {
    return call.schema().parameter("keepdim") != null && call.flag("keepdim");
  }

  private static @Nullable ElementType dtype(AtenCall call) {
    return call.schema().parameter("dtype") == null ? null : call.dtype("dtype");
  }

  /** Returns {@code reduced} with ones where dimensions were removed, if the call wants them. */
  static Value kept(Tensors t, Value reduced, TensorType from, int[] dims, boolean keep) {
    return keep ? t.reshape(reduced, Tensors.withOnes(from.dims().toArray(), dims)) : reduced;
  }

  private static Arg finish(AtenCall call, Tensors t, Value reduced, Value from, int[] dims) {
    return Arg.of(kept(t, reduced, Tensors.type(from), dims, keep(call)));
  }

  /** Integers are summed in i64 unless the call says otherwise. */
  private static ElementType summed(AtenCall call, ElementType element) {
    ElementType asked = dtype(call);
    return asked != null
        ? asked
        : element.isInteger() || element.isBool() ? ElementType.I64 : element;
  }

  private static AtenOp.Rule sum() {
    return (call, t) -> {
      Value value = call.tensor("self");
      ElementType element = summed(call, Tensors.element(value));
      int[] dims = dims(call, value);
      Value total = total(t, t.convert(value, Promotion.wide(element)), dims);
      return finish(call, t, t.convert(total, element), value, dims);
    };
  }

  /** Returns the sum over {@code dims}, which are removed. */
  static Value total(Tensors t, Value value, int... dims) {
    return dims.length == 0 ? value : t.reduce(ReductionKind.ADD, value, dims);
  }

  private static long count(Value value, int[] dims) {
    long count = 1;
    for (int dim : dims) {
      count *= Tensors.dims(value)[dim];
    }
    return count;
  }

  private static AtenOp.Rule mean() {
    return (call, t) -> {
      Value value = call.tensor("self");
      ElementType asked = dtype(call);
      ElementType element = asked == null ? Tensors.element(value) : asked;
      if (!element.isFloat() && !element.isComplex()) {
        throw call.error("takes floats, got " + element);
      }
      int[] dims = dims(call, value);
      Value mean = mean(t, t.convert(value, Promotion.wide(element)), dims);
      return finish(call, t, t.convert(mean, element), value, dims);
    };
  }

  /** Returns the mean over {@code dims}, which are removed. */
  static Value mean(Tensors t, Value value, int... dims) {
    Value total = total(t, value, dims);
    return t.divide(total, t.like(total, (double) count(value, dims)));
  }

  private static Arg prod(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    ElementType element = summed(call, Tensors.element(value));
    int[] dims = dims(call, value);
    Value wide = t.convert(value, Promotion.wide(element));
    Value product = t.reduce(ReductionKind.MULTIPLY, wide, dims);
    return finish(call, t, t.convert(product, element), value, dims);
  }

  private static AtenOp.Rule extreme(ReductionKind kind) {
    return (call, t) -> {
      Value value = call.tensor("self");
      int[] dims = dims(call, value);
      for (int dim : dims) {
        if (Tensors.dims(value)[dim] == 0) {
          throw call.error("dimension " + dim + " of " + value.type() + " has no element");
        }
      }
      return finish(call, t, t.reduce(kind, value, dims), value, dims);
    };
  }

  private static AtenOp.Rule truth(ReductionKind kind) {
    return (call, t) -> {
      Value value = call.tensor("self");
      int[] dims = dims(call, value);
      Value reduced = t.reduce(kind, t.convert(value, ElementType.I1), dims);
      boolean bytes = Tensors.element(value) == ElementType.UI8;
      return finish(call, t, bytes ? t.convert(reduced, ElementType.UI8) : reduced, value, dims);
    };
  }

  private static double correction(AtenCall call) {
    if (call.schema().parameter("correction") != null) {
      return call.has("correction") ? call.real("correction") : 1;
    }
    return call.flag("unbiased") ? 1 : 0;
  }

  private static Arg spread(AtenCall call, Tensors t, boolean root) {
    Value value = call.tensor("self");
    int[] dims = dims(call, value);
    Value variance = variance(t, t.wide(value), correction(call), dims);
    Value out = root ? t.unary("stablehlo.sqrt", variance) : variance;
    return finish(call, t, t.convert(out, Tensors.element(value)), value, dims);
  }

  /** Returns the mean square distance from the mean over {@code dims}, which are removed. */
  static Value variance(Tensors t, Value value, double correction, int... dims) {
    Value mean = t.broadcastAlong(mean(t, value, dims), Tensors.type(value), dims);
    Value apart = t.subtract(value, mean);
    Value total = total(t, t.multiply(apart, apart), dims);
    double divisor = Math.max(0, count(value, dims) - correction);
    return t.divide(total, t.like(total, divisor));
  }

  private static Arg varMean(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    int[] dims = dims(call, value);
    Value wide = t.wide(value);
    ElementType element = Tensors.element(value);
    Value variance = t.convert(variance(t, wide, correction(call), dims), element);
    Value mean = t.convert(mean(t, wide, dims), element);
    return Arg.items(
        ImmutableList.of(
            finish(call, t, variance, value, dims), finish(call, t, mean, value, dims)));
  }

  private static Arg logSumExp(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    int[] dims = dims(call, value);
    ElementType element = Promotion.floating(Tensors.element(value));
    Value wide = t.convert(value, Promotion.wide(element));
    Value result = logSumExp(t, wide, dims);
    return finish(call, t, t.convert(result, element), value, dims);
  }

  /** Returns the logarithm of the sum of exponentials over {@code dims}, which are removed. */
  static Value logSumExp(Tensors t, Value value, int... dims) {
    Value largest = t.reduce(ReductionKind.MAXIMUM, value, dims);
    // An infinite maximum would make NaN of itself.
    Value base = t.select(Elementwise.isInfinite(t, largest), t.like(largest, 0), largest);
    Value apart = t.subtract(value, t.broadcastAlong(base, Tensors.type(value), dims));
    Value total = total(t, t.unary("stablehlo.exponential", apart), dims);
    return t.add(t.unary("stablehlo.log", total), base);
  }

  private static Arg count(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    int[] dims = dims(call, value);
    Value ones = t.convert(t.convert(value, ElementType.I1), ElementType.I64);
    return Arg.of(total(t, ones, dims));
  }

  private static Arg nanSum(AtenCall call, Tensors t) {
    Value value = call.tensor("self");
    ElementType element = summed(call, Tensors.element(value));
    int[] dims = dims(call, value);
    Value wide = t.convert(value, Promotion.wide(element));
    Value known = t.select(t.compare("NE", wide, wide), t.like(wide, 0), wide);
    return finish(call, t, t.convert(total(t, known, dims), element), value, dims);
  }

  private static AtenOp.Rule norm(String order) {
    return (call, t) -> {
      Value value = call.tensor("self");
      ElementType asked = dtype(call);
      ElementType element = asked == null ? Tensors.element(value) : asked;
      int[] dims = dims(call, value);
      double p = call.has(order) ? call.real(order) : 2;
      Value size = t.unary("stablehlo.abs", t.convert(value, Promotion.wide(element)));
      return finish(call, t, t.convert(norm(t, size, p, dims), element), value, dims);
    };
  }

  private static Value norm(Tensors t, Value size, double p, int... dims) {
    if (p == Double.POSITIVE_INFINITY) {
      return t.reduce(ReductionKind.MAXIMUM, size, dims);
    }
    if (p == Double.NEGATIVE_INFINITY) {
      return t.reduce(ReductionKind.MINIMUM, size, dims);
    }
    if (p == 0) {
      return total(t, t.convert(t.convert(size, ElementType.I1), Tensors.element(size)), dims);
    }
    if (p == 1) {
      return total(t, size, dims);
    }
    if (p == 2) {
      return t.unary("stablehlo.sqrt", total(t, t.multiply(size, size), dims));
    }
    Value powers = t.binary("stablehlo.power", size, t.like(size, p));
    Value total = total(t, powers, dims);
    return t.binary("stablehlo.power", total, t.like(total, 1 / p));
  }
}
