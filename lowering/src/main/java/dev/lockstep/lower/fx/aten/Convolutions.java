package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Convolutions, their transposes and their gradients. */
final class Convolutions {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
                  + "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
                  + "output_padding, SymInt groups) -> Tensor",
              Convolutions::convolution),
          AtenOp.of(
              "_convolution(Tensor input, Tensor weight, Tensor? bias, SymInt[] stride, "
                  + "SymInt[] padding, SymInt[] dilation, bool transposed, SymInt[] "
                  + "output_padding, SymInt groups, bool benchmark, bool deterministic, bool "
                  + "cudnn_enabled, bool allow_tf32) -> Tensor",
              Convolutions::convolution),
          AtenOp.of(
              "conv1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] "
                  + "stride=[1], SymInt[1] padding=[0], SymInt[1] dilation=[1], SymInt groups=1) "
                  + "-> Tensor",
              Convolutions::plain),
          AtenOp.of(
              "conv2d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] stride=[1, "
                  + "1], SymInt[2] padding=[0, 0], SymInt[2] dilation=[1, 1], SymInt groups=1) "
                  + "-> Tensor",
              Convolutions::plain),
          AtenOp.of(
              "conv3d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] stride=[1, "
                  + "1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] dilation=[1, 1, 1], SymInt "
                  + "groups=1) -> Tensor",
              Convolutions::plain),
          AtenOp.of(
              "conv1d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] "
                  + "stride=[1], str padding='valid', SymInt[1] dilation=[1], SymInt groups=1) "
                  + "-> Tensor",
              Convolutions::named),
          AtenOp.of(
              "conv2d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[2] "
                  + "stride=[1, 1], str padding='valid', SymInt[2] dilation=[1, 1], SymInt "
                  + "groups=1) -> Tensor",
              Convolutions::named),
          AtenOp.of(
              "conv3d.padding(Tensor input, Tensor weight, Tensor? bias=None, SymInt[3] "
                  + "stride=[1, 1, 1], str padding='valid', SymInt[3] dilation=[1, 1, 1], SymInt "
                  + "groups=1) -> Tensor",
              Convolutions::named),
          AtenOp.of(
              "conv_transpose1d(Tensor input, Tensor weight, Tensor? bias=None, SymInt[1] "
                  + "stride=[1], SymInt[1] padding=[0], SymInt[1] output_padding=[0], SymInt "
                  + "groups=1, SymInt[1] dilation=[1]) -> Tensor",
              Convolutions::transposed),
          AtenOp.of(
              "conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias=None, "
                  + "SymInt[2] stride=[1, 1], SymInt[2] padding=[0, 0], SymInt[2] "
                  + "output_padding=[0, 0], SymInt groups=1, SymInt[2] dilation=[1, 1]) -> Tensor",
              Convolutions::transposed),
          AtenOp.of(
              "conv_transpose3d.input(Tensor input, Tensor weight, Tensor? bias=None, "
                  + "SymInt[3] stride=[1, 1, 1], SymInt[3] padding=[0, 0, 0], SymInt[3] "
                  + "output_padding=[0, 0, 0], SymInt groups=1, SymInt[3] dilation=[1, 1, 1]) -> "
                  + "Tensor",
              Convolutions::transposed),
          AtenOp.of(
              "convolution_backward(Tensor grad_output, Tensor input, Tensor weight, "
                  + "SymInt[]? bias_sizes, SymInt[] stride, SymInt[] padding, SymInt[] dilation, "
                  + "bool transposed, SymInt[] output_padding, SymInt groups, bool[3] "
                  + "output_mask) -> (Tensor, Tensor, Tensor)",
              Convolutions::backward));

  private Convolutions() {}

  /** How the window moves, for each spatial dimension. */
  private record Shape(
      long[] stride, long[] low, long[] high, long[] inputDilation, long[] dilation) {}

  private static long[] each(AtenCall call, String name, int count) {
    long[] given = call.integers(name);
    if (given.length != 1 && given.length != count) {
      throw call.error(
          name + " has " + given.length + " entries, there are " + count + " dimensions");
    }
    return given.length == count ? given : filled(count, given[0]);
  }

  private static long[] filled(int count, long value) {
    long[] out = new long[count];
    Arrays.fill(out, value);
    return out;
  }

  private static int spatial(Value value) {
    return Tensors.rank(value) - 2;
  }

  private static Arg convolution(AtenCall call, Tensors t) {
    int n = spatial(call.tensor("weight"));
    if (call.flag("transposed")) {
      return transposed(call, t, each(call, "output_padding", n));
    }
    long[] padding = each(call, "padding", n);
    return direct(call, t, padding, padding);
  }

  private static Arg plain(AtenCall call, Tensors t) {
    long[] padding = each(call, "padding", spatial(call.tensor("weight")));
    return direct(call, t, padding, padding);
  }

  /** Padding by name: {@code same} keeps sizes, {@code valid} pads nothing. */
  private static Arg named(AtenCall call, Tensors t) {
    int n = spatial(call.tensor("weight"));
    long[] low = new long[n];
    long[] high = new long[n];
    if (call.text("padding").equals("same")) {
      long[] dilation = each(call, "dilation", n);
      for (int i = 0; i < n; i++) {
        long total = dilation[i] * (Tensors.dims(call.tensor("weight"))[i + 2] - 1);
        low[i] = total / 2;
        high[i] = total - low[i];
      }
    } else if (!call.text("padding").equals("valid")) {
      throw call.error("padding is '" + call.text("padding") + "'");
    }
    return direct(call, t, low, high);
  }

  /** Inputs without a batch get one. */
  private static Value batched(Tensors t, Value input, Value weight) {
    return Tensors.rank(input) == Tensors.rank(weight) - 1 ? Shapes.withOne(t, input, 0) : input;
  }

  private static Arg direct(AtenCall call, Tensors t, long[] low, long[] high) {
    Value weight = call.tensor("weight");
    Value input = batched(t, call.tensor("input"), weight);
    int n = spatial(weight);
    long groups = call.integer("groups");
    check(call, input, weight, Tensors.dims(weight)[1] * groups);
    Shape shape =
        new Shape(each(call, "stride", n), low, high, filled(n, 1), each(call, "dilation", n));
    Value out = build(t, input, weight, shape, groups, 1, labels("bf", "oi", "bf", n));
    return Arg.of(unbatched(call, t, biased(t, out, call.tensorOrNull("bias"))));
  }

  private static void check(AtenCall call, Value input, Value weight, long channels) {
    if (Tensors.rank(input) != Tensors.rank(weight)
        || Tensors.dims(input)[1] != channels
        || Tensors.element(input) != Tensors.element(weight)) {
      throw call.error(
          String.format(
              "an input %s does not go with weights %s in %d groups",
              input.type(), weight.type(), call.integer("groups")));
    }
  }

  private static Value unbatched(AtenCall call, Tensors t, Value out) {
    boolean added = Tensors.rank(call.tensor("input")) == Tensors.rank(out) - 1;
    return added ? t.reshape(out, Tensors.without(Tensors.dims(out), 0)) : out;
  }

  private static Value biased(Tensors t, Value out, @Nullable Value bias) {
    Value vector = Normalization.channels(t, bias, Tensors.rank(out));
    return vector == null ? out : t.add(out, vector);
  }

  private static String labels(String input, String kernel, String output, int n) {
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < n; i++) {
      places.append(", ").append(i);
    }
    return "#stablehlo.conv<"
        + label(input, places)
        + "x"
        + label(kernel, places)
        + "->"
        + label(output, places)
        + ">";
  }

  private static String label(String two, StringBuilder places) {
    return "[" + two.charAt(0) + ", " + two.charAt(1) + places + "]";
  }

  private static Value build(
      Tensors t, Value input, Value kernel, Shape s, long groups, long batchGroups, String labels) {
    int n = s.stride().length;
    long[] out = new long[n + 2];
    boolean swapped = labels.contains("->[f");
    boolean batchLast = labels.contains("<[f");
    long batch = Tensors.dims(input)[batchLast ? 1 : 0] / batchGroups;
    long features = Tensors.dims(kernel)[labels.contains("x[o") ? 0 : 1];
    out[swapped ? 1 : 0] = batch;
    out[swapped ? 0 : 1] = features;
    LiteralBuilder padding = new LiteralBuilder(TensorType.of(ElementType.I64, n, 2));
    for (int i = 0; i < n; i++) {
      long size = (Tensors.dims(input)[i + 2] - 1) * s.inputDilation()[i] + 1;
      long window = (Tensors.dims(kernel)[i + 2] - 1) * s.dilation()[i] + 1;
      long room = size + s.low()[i] + s.high()[i] - window;
      if (room < 0) {
        throw new Tensors.ShapeMismatch(
            "the kernel " + kernel.type() + " is larger than the padded input " + input.type());
      }
      out[i + 2] = room / s.stride()[i] + 1;
      padding.setLong(2 * i, s.low()[i]);
      padding.setLong(2 * i + 1, s.high()[i]);
    }
    return t.op(
        "stablehlo.convolution",
        Tensors.type(input).withDims(out),
        Attributes.builder()
            .put("batch_group_count", Attribute.Int.i64(batchGroups))
            .put("dimension_numbers", new Attribute.Raw(labels))
            .put("feature_group_count", Attribute.Int.i64(groups))
            .put("lhs_dilation", Attribute.Longs.of(s.inputDilation()))
            .put("padding", Attribute.Dense.of(padding.build()))
            .put("rhs_dilation", Attribute.Longs.of(s.dilation()))
            .put("window_strides", Attribute.Longs.of(s.stride()))
            .build(),
        input,
        kernel);
  }

  private static Arg transposed(AtenCall call, Tensors t) {
    int n = spatial(call.tensor("weight"));
    return transposed(call, t, each(call, "output_padding", n));
  }

  private static Arg transposed(AtenCall call, Tensors t, long[] more) {
    Value weight = call.tensor("weight");
    Value input = batched(t, call.tensor("input"), weight);
    check(call, input, weight, Tensors.dims(weight)[0]);
    Value out = transposed(call, t, input, weight, more);
    return Arg.of(unbatched(call, t, biased(t, out, call.tensorOrNull("bias"))));
  }

  /** Returns the transpose of a convolution: the kernel mirrored over a spread input. */
  private static Value transposed(
      AtenCall call, Tensors t, Value input, Value weight, long[] more) {
    int n = spatial(weight);
    long groups = call.integer("groups");
    long[] padding = each(call, "padding", n);
    long[] dilation = each(call, "dilation", n);
    long[] low = new long[n];
    long[] high = new long[n];
    for (int i = 0; i < n; i++) {
      long reach = dilation[i] * (Tensors.dims(weight)[i + 2] - 1);
      low[i] = reach - padding[i];
      high[i] = reach - padding[i] + more[i];
    }
    Shape shape = new Shape(filled(n, 1), low, high, each(call, "stride", n), dilation);
    Value kernel = mirrored(t, weight, groups);
    return build(t, input, kernel, shape, groups, 1, labels("bf", "oi", "bf", n));
  }

  /** Returns weights [in, out / groups, ...] as [out, in / groups, ...], mirrored. */
  private static Value mirrored(Tensors t, Value weight, long groups) {
    long[] dims = Tensors.dims(weight);
    int n = dims.length - 2;
    long[] split = new long[dims.length + 1];
    split[0] = groups;
    split[1] = dims[0] / groups;
    System.arraycopy(dims, 1, split, 2, n + 1);
    long[] joined = dims.clone();
    joined[0] = groups * dims[1];
    joined[1] = dims[0] / groups;
    Value exchanged = t.reshape(t.swap(t.reshape(weight, split), 1, 2), joined);
    long[] places = IntStream.range(2, n + 2).asLongStream().toArray();
    return t.builder().reverse(exchanged, places);
  }

  private static Arg backward(AtenCall call, Tensors t) {
    if (call.flag("transposed")) {
      throw call.unsupported("the gradient of a transposed convolution");
    }
    Value grad = call.tensor("grad_output");
    Value input = call.tensor("input");
    Value weight = call.tensor("weight");
    ImmutableList<Arg> wanted = call.items("output_mask");
    int n = spatial(weight);
    int[] summed = IntStream.range(0, n + 2).filter(i -> i != 1).toArray();
    return Arg.items(
        ImmutableList.of(
            isSet(wanted, 0)
                ? Arg.of(inputGradient(call, t, grad, input, weight))
                : Arg.None.INSTANCE,
            isSet(wanted, 1)
                ? Arg.of(weightGradient(call, t, grad, input, weight))
                : Arg.None.INSTANCE,
            isSet(wanted, 2) ? Arg.of(Reductions.total(t, grad, summed)) : Arg.None.INSTANCE));
  }

  /** Returns whether entry {@code i} of a list of truth values is true. */
  static boolean isSet(ImmutableList<Arg> mask, int i) {
    return mask.get(i) instanceof Arg.Flag flag && flag.value();
  }

  private static Value inputGradient(
      AtenCall call, Tensors t, Value grad, Value input, Value weight) {
    int n = spatial(weight);
    long[] stride = each(call, "stride", n);
    long[] padding = each(call, "padding", n);
    long[] dilation = each(call, "dilation", n);
    long[] more = new long[n];
    for (int i = 0; i < n; i++) {
      long reached =
          (Tensors.dims(grad)[i + 2] - 1) * stride[i]
              - 2 * padding[i]
              + dilation[i] * (Tensors.dims(weight)[i + 2] - 1)
              + 1;
      more[i] = Tensors.dims(input)[i + 2] - reached;
    }
    return transposed(call, t, grad, weight, more);
  }

  /** The input convolved with the gradient, batches taking the place of features. */
  private static Value weightGradient(
      AtenCall call, Tensors t, Value grad, Value input, Value weight) {
    int n = spatial(weight);
    long[] stride = each(call, "stride", n);
    long[] padding = each(call, "padding", n);
    long[] dilation = each(call, "dilation", n);
    long[] high = new long[n];
    for (int i = 0; i < n; i++) {
      high[i] =
          (Tensors.dims(weight)[i + 2] - 1) * dilation[i]
              + (Tensors.dims(grad)[i + 2] - 1) * stride[i]
              + 1
              - Tensors.dims(input)[i + 2]
              - padding[i];
    }
    // What was the step is now the dilation, and the other way round.
    long[] step = dilation;
    long[] gaps = stride;
    Shape shape = new Shape(step, padding, high, filled(n, 1), gaps);
    return build(t, input, grad, shape, 1, call.integer("groups"), labels("fb", "io", "fb", n));
  }
}
