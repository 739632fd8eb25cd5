package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.kernel.Index;
import dev.lockstep.hlo.op.kernel.Wide;
import org.jspecify.annotations.Nullable;

/** What the batch normalisations share: their attributes, and walking over features. */
final class Normalization {
  /** The feature dimension. */
  static final AttrKey<Long> FEATURE_INDEX = AttrKeys.integer("feature_index", "feature_index");

  /** Added to the variance. */
  static final AttrKey<Double> EPSILON =
      AttrKey.of("epsilon", "epsilon", Normalization::number, "a number");

  private final double epsilon;
  private final int features;
  private final int stride;
  private final double[] operand;

  Normalization(Operation operation, Literal operand) {
    int[] dims = Index.ints(operand.dims());
    int feature = Math.toIntExact(FEATURE_INDEX.get(operation));
    this.epsilon = EPSILON.get(operation);
    this.features = dims[feature];
    this.stride = Index.strides(dims)[feature];
    this.operand = Wide.doubles(operand);
  }

  private static @Nullable Double number(Attribute attribute) {
    if (attribute instanceof Attribute.Real) {
      return ((Attribute.Real) attribute).value();
    }
    Long whole = AttrKeys.asLong(attribute);
    return whole == null ? null : (Double) whole.doubleValue();
  }

  private int feature(int i) {
    return i / stride % features;
  }

  /** Returns the mean of {@code values}, or of their products with {@code factors}. */
  double[] means(double[] values, double @Nullable [] factors) {
    double[] out = sums(values, factors);
    for (int f = 0; f < features; f++) {
      out[f] /= values.length / (double) features;
    }
    return out;
  }

  /** Returns the sum of {@code values}, or of their products with {@code factors}. */
  double[] sums(double[] values, double @Nullable [] factors) {
    double[] out = new double[features];
    for (int i = 0; i < values.length; i++) {
      out[feature(i)] += factors == null ? values[i] : values[i] * factors[i];
    }
    return out;
  }

  /** Returns the operand. */
  double[] operand() {
    return operand;
  }

  /** Returns the operand minus the mean of its feature. */
  double[] centred(double[] mean) {
    double[] out = new double[operand.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = operand[i] - mean[feature(i)];
    }
    return out;
  }

  /** Returns {@code values * scale / sqrt(variance + epsilon) + offset}, feature by feature. */
  double[] scaled(double[] values, double[] variance, double[] scale, double @Nullable [] offset) {
    double[] out = new double[values.length];
    for (int i = 0; i < out.length; i++) {
      int f = feature(i);
      double shift = offset == null ? 0 : offset[f];
      out[i] = values[i] / Math.sqrt(variance[f] + epsilon) * scale[f] + shift;
    }
    return out;
  }

  /** Returns the gradient of the operand, before scaling. */
  double[] gradient(double[] gradOutput, double[] centred, double[] variance) {
    double[] offsets = means(gradOutput, null);
    double[] products = means(gradOutput, centred);
    double[] out = new double[gradOutput.length];
    for (int i = 0; i < out.length; i++) {
      int f = feature(i);
      out[i] = gradOutput[i] - offsets[f] - centred[i] * products[f] / (variance[f] + epsilon);
    }
    return out;
  }
}
