package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.op.kernel.ReductionKind;
import dev.lockstep.hlo.type.ElementType;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Softmax, and normalisation by mean and variance. */
final class Normalization {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
              (call, t) -> softmax(call, t, call.dtype("dtype"), false)),
          AtenOp.of(
              "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
              (call, t) -> softmax(call, t, half(call), false)),
          AtenOp.of(
              "_safe_softmax(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
              Normalization::safeSoftmax),
          AtenOp.of(
              "log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
              (call, t) -> softmax(call, t, call.dtype("dtype"), true)),
          AtenOp.of(
              "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
              (call, t) -> softmax(call, t, half(call), true)),
          AtenOp.of(
              "layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
                  + "Tensor? bias=None, float eps=1.0000000000000001e-05, bool "
                  + "cudnn_enable=True) -> Tensor",
              (call, t) -> layerNorm(call, t).get(0)),
          AtenOp.of(
              "native_layer_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight, "
                  + "Tensor? bias, float eps) -> (Tensor, Tensor, Tensor)",
              (call, t) -> Arg.items(layerNorm(call, t))),
          AtenOp.of(
              "rms_norm(Tensor input, SymInt[] normalized_shape, Tensor? weight=None, "
                  + "float? eps=None) -> Tensor",
              (call, t) -> rmsNorm(call, t).get(0)),
          AtenOp.of(
              "_fused_rms_norm(Tensor input, int[] normalized_shape, Tensor? weight, "
                  + "float? eps) -> (Tensor, Tensor)",
              (call, t) -> Arg.items(rmsNorm(call, t))),
          AtenOp.of(
              "group_norm(Tensor input, int num_groups, Tensor? weight=None, Tensor? "
                  + "bias=None, float eps=1.0000000000000001e-05, bool cudnn_enabled=True) -> "
                  + "Tensor",
              Normalization::groupNorm),
          AtenOp.of(
              "native_group_norm(Tensor input, Tensor? weight, Tensor? bias, SymInt N, "
                  + "SymInt C, SymInt HxW, int group, float eps) -> (Tensor, Tensor, Tensor)",
              Normalization::nativeGroupNorm),
          AtenOp.of(
              "batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
                  + "running_mean, Tensor? running_var, bool training, float momentum, float "
                  + "eps, bool cudnn_enabled) -> Tensor",
              (call, t) -> batchNorm(call, t, flag(call)).out()),
          AtenOp.of(
              "native_batch_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
                  + "running_mean, Tensor? running_var, bool training, float momentum, float "
                  + "eps) -> (Tensor, Tensor, Tensor)",
              (call, t) -> batchNorm(call, t, flag(call)).three()),
          AtenOp.of(
              "_native_batch_norm_legit(Tensor input, Tensor? weight, Tensor? bias, "
                  + "Tensor(a!) running_mean, Tensor(b!) running_var, bool training, float "
                  + "momentum, float eps) -> (Tensor, Tensor, Tensor)",
              (call, t) -> batchNorm(call, t, flag(call)).three()),
          AtenOp.of(
              "_native_batch_norm_legit.no_stats(Tensor input, Tensor? weight, Tensor? "
                  + "bias, bool training, float momentum, float eps) -> (Tensor, Tensor, Tensor)",
              (call, t) -> batchNorm(call, t, true).three()),
          AtenOp.of(
              "_native_batch_norm_legit_no_training(Tensor input, Tensor? weight, Tensor? "
                  + "bias, Tensor running_mean, Tensor running_var, float momentum, float eps) "
                  + "-> (Tensor, Tensor, Tensor)",
              (call, t) -> batchNorm(call, t, false).three()),
          AtenOp.of(
              "_native_batch_norm_legit_functional(Tensor input, Tensor? weight, Tensor? "
                  + "bias, Tensor running_mean, Tensor running_var, bool training, float "
                  + "momentum, float eps) -> (Tensor, Tensor, Tensor, Tensor running_mean_out, "
                  + "Tensor running_var_out)",
              Normalization::functionalBatchNorm),
          AtenOp.of(
              "instance_norm(Tensor input, Tensor? weight, Tensor? bias, Tensor? "
                  + "running_mean, Tensor? running_var, bool use_input_stats, float momentum, "
                  + "float eps, bool cudnn_enabled) -> Tensor",
              Normalization::instanceNorm));

  private Normalization() {}

  private static @Nullable ElementType half(AtenCall call) {
    return call.flag("half_to_float") ? ElementType.F32 : null;
  }

  private static boolean flag(AtenCall call) {
    return call.flag("training");
  }

  private static Arg softmax(
      AtenCall call, Tensors t, @Nullable ElementType asked, boolean logarithm) {
    Value self = call.tensor("self");
    ElementType element = asked != null ? asked : Tensors.element(self);
    if (!element.isFloat()) {
      throw call.error("takes floats, got " + self.type());
    }
    int dim = call.dim("dim", Tensors.rank(self));
    Value wide = t.convert(self, Promotion.wide(element));
    if (Tensors.rank(self) == 0) {
      return Arg.of(t.full(Tensors.type(self).withElement(element), logarithm ? 0.0 : 1.0));
    }
    return Arg.of(t.convert(logarithm ? logSoftmax(t, wide, dim) : softmax(t, wide, dim), element));
  }

  /** Returns {@code exp(x) / sum(exp(x))} along {@code dim}. */
  static Value softmax(Tensors t, Value x, int dim) {
    Value exponential = t.unary("stablehlo.exponential", fromLargest(t, x, dim));
    Value total = Reductions.total(t, exponential, dim);
    return t.divide(exponential, t.broadcastAlong(total, Tensors.type(x), dim));
  }

  private static Value fromLargest(Tensors t, Value x, int dim) {
    Value largest = t.reduce(ReductionKind.MAXIMUM, x, dim);
    return t.subtract(x, t.broadcastAlong(largest, Tensors.type(x), dim));
  }

  private static Value logSoftmax(Tensors t, Value x, int dim) {
    Value apart = fromLargest(t, x, dim);
    Value total = Reductions.total(t, t.unary("stablehlo.exponential", apart), dim);
    Value log = t.unary("stablehlo.log", total);
    return t.subtract(apart, t.broadcastAlong(log, Tensors.type(x), dim));
  }

  /** Rows that are all minus infinity give zeros. */
  private static Arg safeSoftmax(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    int dim = call.dim("dim", Tensors.rank(self));
    Value out = ((Arg.Tensor) softmax(call, t, call.dtype("dtype"), false)).value();
    Value masked = t.compare("EQ", self, t.like(self, Double.NEGATIVE_INFINITY));
    Value all = t.reduce(ReductionKind.AND, masked, dim);
    Value wide = t.broadcastAlong(all, Tensors.type(out), dim);
    return Arg.of(t.select(wide, t.like(out, 0), out));
  }

  private static int[] last(Value value, int count) {
    int rank = Tensors.rank(value);
    return IntStream.range(rank - count, rank).toArray();
  }

  private static int[] normalized(AtenCall call, Value input) {
    long[] shape = call.integers("normalized_shape");
    int rank = Tensors.rank(input);
    long[] tail =
        shape.length > rank
            ? new long[0]
            : java.util.Arrays.copyOfRange(Tensors.dims(input), rank - shape.length, rank);
    if (!java.util.Arrays.equals(shape, tail)) {
      throw call.error(
          "normalized_shape is "
              + java.util.Arrays.toString(shape)
              + ", but the input is "
              + input.type());
    }
    return last(input, shape.length);
  }

  /** Returns the result, the mean and the reciprocal of the deviation. */
  private static ImmutableList<Arg> layerNorm(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    int[] dims = normalized(call, input);
    Value x = t.wide(input);
    Value mean = Reductions.mean(t, x, dims);
    Value deviation = inverseDeviation(t, Reductions.variance(t, x, 0, dims), call.real("eps"));
    Value out =
        t.multiply(
            t.subtract(x, t.broadcastAlong(mean, Tensors.type(x), dims)),
            t.broadcastAlong(deviation, Tensors.type(x), dims));
    out = scaled(t, out, call.tensorOrNull("weight"), call.tensorOrNull("bias"));
    return ImmutableList.of(
        Arg.of(t.convert(out, Tensors.element(input))),
        Arg.of(Reductions.kept(t, mean, Tensors.type(x), dims, true)),
        Arg.of(Reductions.kept(t, deviation, Tensors.type(x), dims, true)));
  }

  /** Returns {@code 1 / sqrt(variance + eps)}. */
  static Value inverseDeviation(Tensors t, Value variance, double eps) {
    return t.unary("stablehlo.rsqrt", t.add(variance, t.like(variance, eps)));
  }

  private static Value scaled(
      Tensors t, Value value, @Nullable Value weight, @Nullable Value bias) {
    Value out = value;
    if (weight != null) {
      out = t.multiply(out, t.convert(weight, Tensors.element(out)));
    }
    return bias == null ? out : t.add(out, t.convert(bias, Tensors.element(out)));
  }

  private static ImmutableList<Arg> rmsNorm(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    int[] dims = normalized(call, input);
    Value x = t.wide(input);
    double eps = call.has("eps") ? call.real("eps") : epsilon(Tensors.element(x));
    Value square = Reductions.mean(t, t.multiply(x, x), dims);
    Value deviation = inverseDeviation(t, square, eps);
    Value out = t.multiply(x, t.broadcastAlong(deviation, Tensors.type(x), dims));
    out = scaled(t, out, call.tensorOrNull("weight"), null);
    return ImmutableList.of(
        Arg.of(t.convert(out, Tensors.element(input))),
        Arg.of(Reductions.kept(t, deviation, Tensors.type(x), dims, true)));
  }

  private static double epsilon(ElementType element) {
    return element == ElementType.F64 ? Math.ulp(1.0) : Math.ulp(1.0f);
  }

  private static Arg groupNorm(AtenCall call, Tensors t) {
    return groups(
            call,
            t,
            call.integer("num_groups"),
            call.tensorOrNull("weight"),
            call.tensorOrNull("bias"))
        .get(0);
  }

  private static Arg nativeGroupNorm(AtenCall call, Tensors t) {
    return Arg.items(
        groups(
            call,
            t,
            call.integer("group"),
            call.tensorOrNull("weight"),
            call.tensorOrNull("bias")));
  }

  /** Returns the result, and mean and reciprocal deviation of each group. */
  private static ImmutableList<Arg> groups(
      AtenCall call, Tensors t, long groups, @Nullable Value weight, @Nullable Value bias) {
    Value input = call.tensor("input");
    long[] dims = Tensors.dims(input);
    if (dims.length < 2 || dims[1] % groups != 0) {
      throw call.error(input.type() + " cannot be divided into " + groups + " groups");
    }
    Value x = t.wide(input);
    long rest = dims[0] == 0 ? 0 : Tensors.type(input).count() / dims[0] / groups;
    Value grouped = t.reshape(x, dims[0], groups, rest);
    Value mean = Reductions.mean(t, grouped, 2);
    Value deviation = inverseDeviation(t, Reductions.variance(t, grouped, 0, 2), call.real("eps"));
    Value out =
        t.multiply(
            t.subtract(grouped, Shapes.withOne(t, mean, 2)), Shapes.withOne(t, deviation, 2));
    Value shaped = t.reshape(out, dims);
    out = scaled(t, shaped, channels(t, weight, dims.length), channels(t, bias, dims.length));
    return ImmutableList.of(
        Arg.of(t.convert(out, Tensors.element(input))), Arg.of(mean), Arg.of(deviation));
  }

  /** Returns a vector as the second of {@code rank} dimensions, or null. */
  static @Nullable Value channels(Tensors t, @Nullable Value vector, int rank) {
    if (vector == null) {
      return null;
    }
    long[] dims = new long[rank - 1];
    java.util.Arrays.fill(dims, 1);
    dims[0] = Tensors.type(vector).count();
    return t.reshape(vector, dims);
  }

  private static Arg instanceNorm(AtenCall call, Tensors t) {
    if (!call.flag("use_input_stats")) {
      throw call.unsupported("running statistics");
    }
    return groups(
            call,
            t,
            call.type("input").dim(1),
            call.tensorOrNull("weight"),
            call.tensorOrNull("bias"))
        .get(0);
  }

  /** What a batch normalisation gives, and the statistics it used. */
  private record Batch(
      Value result, Value mean, Value deviation, Value variance, boolean training) {
    Arg out() {
      return Arg.of(result);
    }

    /** Outside of training torch saves nothing. */
    Arg three() {
      return Arg.items(ImmutableList.of(Arg.of(result), Arg.of(mean), Arg.of(deviation)));
    }
  }

  private static Batch batchNorm(AtenCall call, Tensors t, boolean training) {
    Value input = call.tensor("input");
    int rank = Tensors.rank(input);
    Value x = t.wide(input);
    int[] dims = IntStream.range(0, rank).filter(i -> i != 1).toArray();
    boolean stats = call.schema().parameter("running_mean") != null && call.has("running_mean");
    if (!training && !stats) {
      throw call.error("has no statistics to normalise with");
    }
    Value mean =
        training
            ? Reductions.mean(t, x, dims)
            : t.convert(call.tensor("running_mean"), Tensors.element(x));
    Value variance =
        training
            ? Reductions.variance(t, x, 0, dims)
            : t.convert(call.tensor("running_var"), Tensors.element(x));
    Value deviation = inverseDeviation(t, variance, call.real("eps"));
    Value out =
        t.multiply(
            t.subtract(x, java.util.Objects.requireNonNull(channels(t, mean, rank))),
            java.util.Objects.requireNonNull(channels(t, deviation, rank)));
    out =
        scaled(
            t,
            out,
            channels(t, call.tensorOrNull("weight"), rank),
            channels(t, call.tensorOrNull("bias"), rank));
    Value result = t.convert(out, Tensors.element(input));
    if (training && stats && !call.name().contains("functional")) {
      update(call, t, mean, variance, Tensors.type(input).count());
    }
    Value none = t.full(Tensors.type(mean).withDims(0), 0.0);
    return new Batch(
        result, training ? mean : none, training ? deviation : none, variance, training);
  }

  /** Returns the running mean and variance after this batch. */
  private static ImmutableList<Value> running(
      AtenCall call, Tensors t, Value mean, Value variance, long count) {
    double momentum = call.real("momentum");
    double each = (double) count / Tensors.type(mean).count();
    Value unbiased = t.multiply(variance, t.like(variance, each / Math.max(1, each - 1)));
    ImmutableList.Builder<Value> out = ImmutableList.builder();
    for (String name : ImmutableList.of("running_mean", "running_var")) {
      Value now = name.equals("running_mean") ? mean : unbiased;
      Value old = t.convert(call.tensor(name), Tensors.element(mean));
      Value joined =
          t.add(t.multiply(now, t.like(now, momentum)), t.multiply(old, t.like(old, 1 - momentum)));
      out.add(t.convert(joined, call.type(name).element()));
    }
    return out.build();
  }

  private static void update(AtenCall call, Tensors t, Value mean, Value variance, long count) {
    ImmutableList<Value> updated = running(call, t, mean, variance, count);
    int at = 0;
    for (String name : ImmutableList.of("running_mean", "running_var")) {
      call.context()
          .mutations()
          .write(call.cell(name), updated.get(at++), call.name(), call.location());
    }
  }

  private static Arg functionalBatchNorm(AtenCall call, Tensors t) {
    Batch batch = batchNorm(call, t, flag(call));
    ImmutableList.Builder<Arg> out = ImmutableList.builder();
    out.add(batch.out(), Arg.of(batch.mean()), Arg.of(batch.deviation()));
    if (batch.training()) {
      long count = call.type("input").count();
      running(call, t, batch.mean(), batch.variance(), count)
          .forEach(value -> out.add(Arg.of(value)));
    } else {
      out.add(call.arg("running_mean"), call.arg("running_var"));
    }
    return Arg.items(out.build());
  }
}
