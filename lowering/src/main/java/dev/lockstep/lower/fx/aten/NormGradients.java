package dev.lockstep.lower.fx.aten;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The gradients of softmax and of normalisation. */
final class NormGradients {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
                  + "ScalarType input_dtype) -> Tensor",
              NormGradients::softmax),
          AtenOp.of(
              "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, "
                  + "ScalarType input_dtype) -> Tensor",
              NormGradients::logSoftmax),
          AtenOp.of(
              "native_layer_norm_backward(Tensor grad_out, Tensor input, SymInt[] "
                  + "normalized_shape, Tensor mean, Tensor rstd, Tensor? weight, Tensor? bias, "
                  + "bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
              NormGradients::layerNorm),
          AtenOp.of(
              "_fused_rms_norm_backward(Tensor grad_out, Tensor input, int[] "
                  + "normalized_shape, Tensor rstd, Tensor? weight, bool[2] output_mask) -> "
                  + "(Tensor, Tensor)",
              NormGradients::rmsNorm),
          AtenOp.of(
              "native_group_norm_backward(Tensor grad_out, Tensor input, Tensor mean, "
                  + "Tensor rstd, Tensor? weight, SymInt N, SymInt C, SymInt HxW, int group, "
                  + "bool[3] output_mask) -> (Tensor, Tensor, Tensor)",
              NormGradients::groupNorm),
          AtenOp.of(
              "native_batch_norm_backward(Tensor grad_out, Tensor input, Tensor? weight, "
                  + "Tensor? running_mean, Tensor? running_var, Tensor? save_mean, Tensor? "
                  + "save_invstd, bool train, float eps, bool[3] output_mask) -> (Tensor, "
                  + "Tensor, Tensor)",
              NormGradients::batchNorm));

  private NormGradients() {}

  private static Arg softmax(AtenCall call, Tensors t) {
    Value y = t.wide(call.tensor("output"));
    Value g = t.convert(call.tensor("grad_output"), Tensors.element(y));
    int dim = call.dim("dim", Tensors.rank(y));
    if (Tensors.rank(y) == 0) {
      return Arg.of(t.like(call.tensor("output"), 0));
    }
    Value joined = t.multiply(g, y);
    Value total = t.broadcastAlong(Reductions.total(t, joined, dim), Tensors.type(y), dim);
    Value out = t.subtract(joined, t.multiply(y, total));
    return Arg.of(t.convert(out, input(call)));
  }

  private static ElementType input(AtenCall call) {
    return requireNonNull(call.dtype("input_dtype"));
  }

  private static Arg logSoftmax(AtenCall call, Tensors t) {
    Value y = t.wide(call.tensor("output"));
    Value g = t.convert(call.tensor("grad_output"), Tensors.element(y));
    int dim = call.dim("dim", Tensors.rank(y));
    if (Tensors.rank(y) == 0) {
      return Arg.of(t.like(call.tensor("output"), 0));
    }
    Value total = t.broadcastAlong(Reductions.total(t, g, dim), Tensors.type(y), dim);
    Value out = t.subtract(g, t.multiply(t.unary("stablehlo.exponential", y), total));
    return Arg.of(t.convert(out, input(call)));
  }

  /** {@code (x - mean) * deviation}, both broadcast over what was reduced. */
  private static Value normalized(Tensors t, Value x, @Nullable Value mean, Value deviation) {
    return t.multiply(mean == null ? x : t.subtract(x, mean), deviation);
  }

  /**
   * The gradient of a normalised tensor with respect to what was normalised: {@code deviation * (g
   * - mean(g) - n * mean(g * n))} over {@code dims}; without the mean of {@code g} where no mean
   * was taken away.
   */
  private static Value through(
      Tensors t, Value g, Value normalized, Value deviation, boolean centred, int... dims) {
    Value joint = Reductions.mean(t, t.multiply(g, normalized), dims);
    Value out =
        t.subtract(g, t.multiply(normalized, t.broadcastAlong(joint, Tensors.type(g), dims)));
    if (centred) {
      Value mean = Reductions.mean(t, g, dims);
      out = t.subtract(out, t.broadcastAlong(mean, Tensors.type(g), dims));
    }
    return t.multiply(out, deviation);
  }

  private static boolean wants(AtenCall call, int i) {
    return Convolutions.isSet(call.items("output_mask"), i);
  }

  private static Arg layerNorm(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    int rank = Tensors.rank(input);
    int count = call.integers("normalized_shape").length;
    int[] inner = IntStream.range(rank - count, rank).toArray();
    int[] outer = IntStream.range(0, rank - count).toArray();
    Value x = t.wide(input);
    Value g = t.wide(call.tensor("grad_out"));
    Value deviation = t.convert(call.tensor("rstd"), Tensors.element(x));
    Value n = normalized(t, x, t.convert(call.tensor("mean"), Tensors.element(x)), deviation);
    Value weight = call.tensorOrNull("weight");
    Value inside = weight == null ? g : t.multiply(g, t.convert(weight, Tensors.element(g)));
    Arg first =
        wants(call, 0)
            ? back(t, through(t, inside, n, deviation, true, inner), input)
            : Arg.None.INSTANCE;
    Arg second =
        wants(call, 1) && weight != null
            ? back(t, Reductions.total(t, t.multiply(g, n), outer), weight)
            : Arg.None.INSTANCE;
    Value bias = call.tensorOrNull("bias");
    Arg third =
        wants(call, 2) && bias != null
            ? back(t, Reductions.total(t, g, outer), bias)
            : Arg.None.INSTANCE;
    return Arg.items(ImmutableList.of(first, second, third));
  }

  private static Arg back(Tensors t, Value value, Value like) {
    return Arg.of(t.convert(value, Tensors.element(like)));
  }

  private static Arg rmsNorm(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    int rank = Tensors.rank(input);
    int count = call.integers("normalized_shape").length;
    int[] inner = IntStream.range(rank - count, rank).toArray();
    int[] outer = IntStream.range(0, rank - count).toArray();
    Value x = t.wide(input);
    Value g = t.wide(call.tensor("grad_out"));
    Value deviation = t.convert(call.tensor("rstd"), Tensors.element(x));
    Value n = normalized(t, x, null, deviation);
    Value weight = call.tensorOrNull("weight");
    Value inside = weight == null ? g : t.multiply(g, t.convert(weight, Tensors.element(g)));
    Arg first =
        wants(call, 0)
            ? back(t, through(t, inside, n, deviation, false, inner), input)
            : Arg.None.INSTANCE;
    Arg second =
        wants(call, 1) && weight != null
            ? back(t, Reductions.total(t, t.multiply(g, n), outer), weight)
            : Arg.None.INSTANCE;
    return Arg.items(ImmutableList.of(first, second));
  }

  private static Arg groupNorm(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    long[] dims = Tensors.dims(input);
    long groups = call.integer("group");
    long rest = Tensors.type(input).count() / dims[0] / groups;
    Value x = t.reshape(t.wide(input), dims[0], groups, rest);
    Value g = t.wide(call.tensor("grad_out"));
    Value weight = call.tensorOrNull("weight");
    Value inside =
        weight == null
            ? g
            : t.multiply(
                g,
                t.convert(
                    requireNonNull(Normalization.channels(t, weight, dims.length)),
                    Tensors.element(g)));
    ElementType element = Tensors.element(x);
    Value deviation = t.reshape(t.convert(call.tensor("rstd"), element), dims[0], groups, 1);
    Value mean = t.reshape(t.convert(call.tensor("mean"), element), dims[0], groups, 1);
    Value n = normalized(t, x, mean, deviation);
    Value grouped = t.reshape(inside, dims[0], groups, rest);
    Value gradient = t.reshape(through(t, grouped, n, deviation, true, 2), dims);
    int[] others = IntStream.range(0, dims.length).filter(i -> i != 1).toArray();
    Value product = t.multiply(g, t.reshape(n, dims));
    return Arg.items(
        ImmutableList.of(
            wants(call, 0) ? back(t, gradient, input) : Arg.None.INSTANCE,
            wants(call, 1)
                ? back(t, Reductions.total(t, product, others), input)
                : Arg.None.INSTANCE,
            wants(call, 2) ? back(t, Reductions.total(t, g, others), input) : Arg.None.INSTANCE));
  }

  private static Arg batchNorm(AtenCall call, Tensors t) {
    Value input = call.tensor("input");
    int rank = Tensors.rank(input);
    boolean training = call.flag("train");
    Value x = t.wide(input);
    ElementType element = Tensors.element(x);
    Value g = t.wide(call.tensor("grad_out"));
    Value mean = call.tensor(training ? "save_mean" : "running_mean");
    Value deviation =
        training
            ? t.convert(call.tensor("save_invstd"), element)
            : Normalization.inverseDeviation(
                t, t.convert(call.tensor("running_var"), element), call.real("eps"));
    Value wideMean = requireNonNull(Normalization.channels(t, t.convert(mean, element), rank));
    Value wideDeviation = requireNonNull(Normalization.channels(t, deviation, rank));
    Value n = normalized(t, x, wideMean, wideDeviation);
    Value weight = Normalization.channels(t, call.tensorOrNull("weight"), rank);
    Value inside = weight == null ? g : t.multiply(g, t.convert(weight, element));
    int[] dims = IntStream.range(0, rank).filter(i -> i != 1).toArray();
    Value gradient =
        training
            ? through(t, inside, n, wideDeviation, true, dims)
            : t.multiply(inside, wideDeviation);
    return Arg.items(
        ImmutableList.of(
            wants(call, 0) ? back(t, gradient, input) : Arg.None.INSTANCE,
            wants(call, 1)
                ? Arg.of(Reductions.total(t, t.multiply(g, n), dims))
                : Arg.None.INSTANCE,
            wants(call, 2) ? Arg.of(Reductions.total(t, g, dims)) : Arg.None.INSTANCE));
  }
}
