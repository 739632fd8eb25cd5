package dev.lockstep.lower.fx.aten;

import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Cross entropy of scores against classes or probabilities, with label smoothing. */
final class CrossEntropy {
  private static final int NONE = 0;
  private static final int MEAN = 1;

  private CrossEntropy() {}

  static Arg lower(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value target = call.tensor("target");
    int dim = Tensors.rank(self) == 1 ? 0 : 1;
    Value x = t.wide(self);
    Value sums = Reductions.logSumExp(t, x, dim);
    Value logs = t.subtract(x, t.broadcastAlong(sums, Tensors.type(x), dim));
    ElementType element = Tensors.element(self);
    return Tensors.element(target).isFloat()
        ? probabilities(call, t, logs, target, dim, element)
        : classes(call, t, logs, target, dim, element);
  }

  private static Value weighted(Tensors t, Value logs, @Nullable Value weight, int dim) {
    if (weight == null) {
      return logs;
    }
    Value wide = t.convert(weight, Tensors.element(logs));
    Value vector =
        dim == 0
            ? wide
            : java.util.Objects.requireNonNull(Normalization.channels(t, wide, Tensors.rank(logs)));
    return t.multiply(logs, vector);
  }

  private static Arg probabilities(
      AtenCall call, Tensors t, Value logs, Value target, int dim, ElementType element) {
    double smoothing = call.real("label_smoothing");
    Value y = t.convert(target, Tensors.element(logs));
    if (smoothing > 0) {
      double even = smoothing / Tensors.dims(logs)[dim];
      y = t.add(t.multiply(y, t.like(y, 1 - smoothing)), t.like(y, even));
    }
    Value scaled = weighted(t, logs, call.tensorOrNull("weight"), dim);
    Value loss = t.negate(Reductions.total(t, t.multiply(scaled, y), dim));
    int[] all = IntStream.range(0, Tensors.rank(loss)).toArray();
    long reduction = call.integer("reduction");
    if (reduction == NONE) {
      return Arg.of(t.convert(loss, element));
    }
    Value sum = Reductions.total(t, loss, all);
    double rows = Math.max(1, Tensors.type(loss).count());
    Value out = reduction == MEAN ? t.divide(sum, t.like(sum, rows)) : sum;
    return Arg.of(t.convert(out, element));
  }

  private static Arg classes(
      AtenCall call, Tensors t, Value logs, Value target, int dim, ElementType element) {
    Losses.Target kept = Losses.target(t, target, call.integer("ignore_index"));
    Value weight = call.tensorOrNull("weight");
    Value weights = Losses.weights(t, kept, weight, Tensors.element(logs));
    Value at = Losses.atTarget(t, logs, kept.classes());
    Value loss = masked(t, kept, t.negate(t.multiply(at, weights)));
    double smoothing = call.real("label_smoothing");
    int[] all = IntStream.range(0, Tensors.rank(loss)).toArray();
    Value total = Reductions.total(t, weights, all);
    if (smoothing > 0) {
      Value even = t.negate(Reductions.total(t, weighted(t, logs, weight, dim), dim));
      double part = smoothing / Tensors.dims(logs)[dim];
      loss =
          t.add(
              t.multiply(loss, t.like(loss, 1 - smoothing)),
              t.multiply(masked(t, kept, even), t.like(loss, part)));
    }
    long reduction = call.integer("reduction");
    if (reduction == NONE) {
      return Arg.of(t.convert(loss, element));
    }
    Value sum = Reductions.total(t, loss, all);
    return Arg.of(t.convert(reduction == MEAN ? t.divide(sum, total) : sum, element));
  }

  private static Value masked(Tensors t, Losses.Target target, Value loss) {
    return t.select(target.kept(), loss, t.like(loss, 0));
  }
}
