package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Losses, and the gradients that torch has operators for. */
final class Losses {
  private static final int NONE = 0;
  private static final int MEAN = 1;

  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "mse_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
              pairwise((call, t, d) -> t.multiply(d, d))),
          AtenOp.of(
              "l1_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
              pairwise((call, t, d) -> t.unary("stablehlo.abs", d))),
          AtenOp.of(
              "smooth_l1_loss(Tensor self, Tensor target, int reduction=1, float beta=1.) "
                  + "-> Tensor",
              pairwise(Losses::smooth)),
          AtenOp.of(
              "huber_loss(Tensor self, Tensor target, int reduction=1, float delta=1.) -> "
                  + "Tensor",
              pairwise(Losses::huber)),
          AtenOp.of(
              "mse_loss_backward(Tensor grad_output, Tensor self, Tensor target, int "
                  + "reduction) -> Tensor",
              Losses::mseBackward),
          AtenOp.of(
              "smooth_l1_loss_backward(Tensor grad_output, Tensor self, Tensor target, int "
                  + "reduction, float beta) -> Tensor",
              Losses::smoothBackward),
          AtenOp.of(
              "huber_loss_backward(Tensor grad_output, Tensor self, Tensor target, int "
                  + "reduction, float delta) -> Tensor",
              Losses::huberBackward),
          AtenOp.of(
              "binary_cross_entropy(Tensor self, Tensor target, Tensor? weight=None, int "
                  + "reduction=1) -> Tensor",
              Losses::binary),
          AtenOp.of(
              "binary_cross_entropy_backward(Tensor grad_output, Tensor self, Tensor "
                  + "target, Tensor? weight=None, int reduction=1) -> Tensor",
              Losses::binaryBackward),
          AtenOp.of(
              "binary_cross_entropy_with_logits(Tensor self, Tensor target, Tensor? "
                  + "weight=None, Tensor? pos_weight=None, int reduction=1) -> Tensor",
              Losses::binaryWithLogits),
          AtenOp.of(
              "soft_margin_loss(Tensor self, Tensor target, int reduction=1) -> Tensor",
              Losses::softMargin),
          AtenOp.of(
              "kl_div(Tensor self, Tensor target, int reduction=1, *, bool "
                  + "log_target=False) -> Tensor",
              Losses::divergence),
          AtenOp.of(
              "nll_loss(Tensor self, Tensor target, Tensor? weight=None, int reduction=1, "
                  + "SymInt ignore_index=-100) -> Tensor",
              (call, t) -> likelihood(call, t).get(0)),
          AtenOp.of(
              "nll_loss_nd(Tensor self, Tensor target, Tensor? weight=None, int "
                  + "reduction=1, SymInt ignore_index=-100) -> Tensor",
              (call, t) -> likelihood(call, t).get(0)),
          AtenOp.of(
              "nll_loss2d(Tensor self, Tensor target, Tensor? weight=None, int "
                  + "reduction=1, SymInt ignore_index=-100) -> Tensor",
              (call, t) -> likelihood(call, t).get(0)),
          AtenOp.of(
              "nll_loss_forward(Tensor self, Tensor target, Tensor? weight, int reduction, "
                  + "SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
              (call, t) -> Arg.items(likelihood(call, t))),
          AtenOp.of(
              "nll_loss2d_forward(Tensor self, Tensor target, Tensor? weight, int "
                  + "reduction, SymInt ignore_index) -> (Tensor output, Tensor total_weight)",
              (call, t) -> Arg.items(likelihood(call, t))),
          AtenOp.of(
              "nll_loss_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? "
                  + "weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
              Losses::likelihoodBackward),
          AtenOp.of(
              "nll_loss2d_backward(Tensor grad_output, Tensor self, Tensor target, Tensor? "
                  + "weight, int reduction, SymInt ignore_index, Tensor total_weight) -> Tensor",
              Losses::likelihoodBackward),
          AtenOp.of(
              "cross_entropy_loss(Tensor self, Tensor target, Tensor? weight=None, int "
                  + "reduction=1, SymInt ignore_index=-100, float label_smoothing=0.) -> Tensor",
              CrossEntropy::lower));

  private Losses() {}

  private interface Distance {
    Value of(AtenCall call, Tensors tensors, Value difference);
  }

  /** Returns all elements, their mean or their sum, as the call's reduction says. */
  static Arg reduced(AtenCall call, Tensors t, Value each, ElementType element) {
    long reduction = call.integer("reduction");
    int[] all = IntStream.range(0, Tensors.rank(each)).toArray();
    Value out =
        reduction == NONE
            ? each
            : reduction == MEAN ? Reductions.mean(t, each, all) : Reductions.total(t, each, all);
    return Arg.of(t.convert(out, element));
  }

  private static AtenOp.Rule pairwise(Distance distance) {
    return (call, t) -> {
      ElementType element = new Promotion().add(call.arg("self")).add(call.arg("target")).result();
      Value a = t.wide(t.convert(call.tensor("self"), element));
      Value b = t.wide(t.convert(call.tensor("target"), element));
      return reduced(call, t, distance.of(call, t, t.subtract(a, b)), element);
    };
  }

  private static Value smooth(AtenCall call, Tensors t, Value d) {
    double beta = call.real("beta");
    Value size = t.unary("stablehlo.abs", d);
    if (beta == 0) {
      return size;
    }
    Value square = t.multiply(t.multiply(size, size), t.like(d, 0.5 / beta));
    Value line = t.subtract(size, t.like(d, 0.5 * beta));
    return t.select(t.compare("LT", size, t.like(d, beta)), square, line);
  }

  private static Value huber(AtenCall call, Tensors t, Value d) {
    double delta = call.real("delta");
    Value size = t.unary("stablehlo.abs", d);
    Value square = t.multiply(t.multiply(size, size), t.like(d, 0.5));
    Value line = t.multiply(t.subtract(size, t.like(d, 0.5 * delta)), t.like(d, delta));
    return t.select(t.compare("LE", size, t.like(d, delta)), square, line);
  }

  /** The gradient of the loss times {@code slope}, divided among elements for a mean. */
  private static Arg spread(AtenCall call, Tensors t, Value slope) {
    Value grad = t.convert(call.tensor("grad_output"), Tensors.element(slope));
    Value out = t.multiply(slope, grad);
    if (call.integer("reduction") == MEAN) {
      out = t.multiply(out, t.like(out, 1.0 / call.type("self").count()));
    }
    return Arg.of(t.convert(out, call.type("self").element()));
  }

  private static Value difference(AtenCall call, Tensors t) {
    return t.subtract(
        t.wide(call.tensor("self")),
        t.wide(t.convert(call.tensor("target"), call.type("self").element())));
  }

  private static Arg mseBackward(AtenCall call, Tensors t) {
    Value d = difference(call, t);
    return spread(call, t, t.multiply(d, t.like(d, 2)));
  }

  private static Arg smoothBackward(AtenCall call, Tensors t) {
    Value d = difference(call, t);
    double beta = call.real("beta");
    Value inside = t.compare("LT", t.unary("stablehlo.abs", d), t.like(d, beta));
    Value slope =
        beta == 0
            ? t.unary("stablehlo.sign", d)
            : t.select(inside, t.divide(d, t.like(d, beta)), t.unary("stablehlo.sign", d));
    return spread(call, t, slope);
  }

  private static Arg huberBackward(AtenCall call, Tensors t) {
    Value d = difference(call, t);
    double delta = call.real("delta");
    return spread(call, t, t.minimum(t.maximum(d, t.like(d, -delta)), t.like(d, delta)));
  }

  private static Value weighted(AtenCall call, Tensors t, Value loss) {
    Value weight = call.tensorOrNull("weight");
    return weight == null ? loss : t.multiply(loss, t.convert(weight, Tensors.element(loss)));
  }

  private static Value logAtLeast(Tensors t, Value x) {
    return t.maximum(t.unary("stablehlo.log", x), t.like(x, -100));
  }

  private static Arg binary(AtenCall call, Tensors t) {
    Value x = t.wide(call.tensor("self"));
    Value y = t.wide(call.tensor("target"));
    Value one = t.like(x, 1);
    Value loss =
        t.negate(
            t.add(
                t.multiply(y, logAtLeast(t, x)),
                t.multiply(t.subtract(one, y), logAtLeast(t, t.subtract(one, x)))));
    return reduced(call, t, weighted(call, t, loss), call.type("self").element());
  }

  private static Arg binaryBackward(AtenCall call, Tensors t) {
    Value x = t.wide(call.tensor("self"));
    Value y = t.wide(call.tensor("target"));
    Value product = t.multiply(t.subtract(t.like(x, 1), x), x);
    Value slope = t.divide(t.subtract(x, y), t.maximum(product, t.like(x, 1e-12)));
    return spread(call, t, weighted(call, t, slope));
  }

  private static Arg binaryWithLogits(AtenCall call, Tensors t) {
    Value x = t.wide(call.tensor("self"));
    Value y = t.wide(call.tensor("target"));
    Value log = Activations.logSigmoid(t, x);
    Value rest = t.multiply(t.subtract(t.like(x, 1), y), x);
    Value factor = log;
    Value positive = call.tensorOrNull("pos_weight");
    if (positive != null) {
      Value more = t.subtract(t.convert(positive, Tensors.element(x)), t.like(positive, 1));
      factor = t.multiply(log, t.add(t.multiply(more, y), t.like(y, 1)));
    }
    return reduced(
        call, t, weighted(call, t, t.subtract(rest, factor)), call.type("self").element());
  }

  private static Arg softMargin(AtenCall call, Tensors t) {
    Value product = t.multiply(t.wide(call.tensor("self")), t.wide(call.tensor("target")));
    Value loss =
        t.unary("stablehlo.log_plus_one", t.unary("stablehlo.exponential", t.negate(product)));
    return reduced(call, t, loss, call.type("self").element());
  }

  private static Arg divergence(AtenCall call, Tensors t) {
    Value x = t.wide(call.tensor("self"));
    Value y = t.wide(call.tensor("target"));
    Value loss;
    if (call.flag("log_target")) {
      loss = t.multiply(t.unary("stablehlo.exponential", y), t.subtract(y, x));
    } else {
      Value entropy = t.multiply(y, t.unary("stablehlo.log", y));
      Value known = t.select(t.compare("EQ", y, t.like(y, 0)), t.like(y, 0), entropy);
      loss = t.subtract(known, t.multiply(y, x));
    }
    return reduced(call, t, loss, call.type("self").element());
  }

  /** What stands at the target of each row, classes being the second dimension. */
  static Value atTarget(Tensors t, Value value, Value target) {
    if (Tensors.rank(value) == 1) {
      Value places = Indexing.elementPlaces(t, t.reshape(target, 1), 0, Tensors.dims(value)[0]);
      return t.reshape(Gathers.rows(t, value, places), Tensors.dims(target));
    }
    Value wide = Shapes.withOne(t, target, 1);
    Value places = Indexing.elementPlaces(t, wide, 1, Tensors.dims(value)[1]);
    Value taken = Gathers.rows(t, value, places);
    return t.reshape(taken, Tensors.dims(target));
  }

  /** The target with those that are ignored set to class 0, and which are kept. */
  record Target(Value classes, Value kept) {}

  static Target target(Tensors t, Value target, long ignored) {
    Value kept = t.compare("NE", target, t.full(Tensors.type(target), ignored));
    return new Target(t.select(kept, target, t.full(Tensors.type(target), 0L)), kept);
  }

  /** Returns the weight of each target, zero where it is ignored. */
  static Value weights(Tensors t, Target target, @Nullable Value weight, ElementType element) {
    Value ones = t.convert(target.kept(), element);
    if (weight == null) {
      return ones;
    }
    Value own =
        Gathers.rows(
            t,
            t.convert(weight, element),
            Shapes.withOne(t, target.classes(), Tensors.rank(target.classes())));
    return t.multiply(ones, own);
  }

  private static ImmutableList<Arg> likelihood(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value x = t.wide(self);
    Target target = target(t, call.tensor("target"), call.integer("ignore_index"));
    Value weights = weights(t, target, call.tensorOrNull("weight"), Tensors.element(x));
    Value at = atTarget(t, x, target.classes());
    // An ignored row counts nothing, whatever it holds.
    Value loss = t.select(target.kept(), t.negate(t.multiply(at, weights)), t.like(at, 0));
    int[] all = IntStream.range(0, Tensors.rank(loss)).toArray();
    Value total = Reductions.total(t, weights, all);
    ElementType element = Tensors.element(self);
    long reduction = call.integer("reduction");
    if (reduction == NONE) {
      Value none = t.full(Tensors.type(total), 0.0);
      return ImmutableList.of(Arg.of(t.convert(loss, element)), Arg.of(t.convert(none, element)));
    }
    Value sum = Reductions.total(t, loss, all);
    Value out = reduction == MEAN ? t.divide(sum, total) : sum;
    return ImmutableList.of(Arg.of(t.convert(out, element)), Arg.of(t.convert(total, element)));
  }

  private static Arg likelihoodBackward(AtenCall call, Tensors t) {
    Value self = call.tensor("self");
    Value grad = call.tensor("grad_output");
    Target target = target(t, call.tensor("target"), call.integer("ignore_index"));
    Value weights = weights(t, target, call.tensorOrNull("weight"), Tensors.element(self));
    Value each = t.negate(t.multiply(weights, grad));
    if (call.integer("reduction") == MEAN) {
      each = t.divide(each, call.tensor("total_weight"));
    }
    int dim = Tensors.rank(self) == 1 ? 0 : 1;
    Value numbers = t.iota(Tensors.type(self).withElement(ElementType.I64), dim);
    Value wide = t.convert(target.classes(), ElementType.I64);
    Value hit =
        t.compare("EQ", numbers, t.broadcast(Shapes.withOne(t, wide, dim), Tensors.dims(self)));
    return Arg.of(
        t.select(
            hit, t.broadcast(Shapes.withOne(t, each, dim), Tensors.dims(self)), t.like(self, 0)));
  }
}
