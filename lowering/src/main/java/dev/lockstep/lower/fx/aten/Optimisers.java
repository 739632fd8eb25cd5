package dev.lockstep.lower.fx.aten;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Value;
import dev.lockstep.hlo.type.ElementType;

/** The mixtures of tensors that optimisers compute. */
final class Optimisers {
  static final ImmutableList<AtenOp> OPS =
      ImmutableList.of(
          AtenOp.of(
              "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor", Optimisers::lerp),
          AtenOp.of(
              "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor", Optimisers::lerp),
          AtenOp.of(
              "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> "
                  + "Tensor",
              (call, t) -> added(call, t, call.arg("self"), "stablehlo.multiply")),
          AtenOp.of(
              "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> "
                  + "Tensor",
              (call, t) -> added(call, t, call.arg("self"), "stablehlo.divide")));

  private Optimisers() {}

  /** {@code a + weight * (b - a)}, from the nearer end, as torch does. */
  static Arg lerp(AtenCall call, Tensors t) {
    ElementType element = call.type("self").element();
    ElementType wide = Promotion.wide(element);
    Value a = t.convert(call.tensor("self"), wide);
    Value b = t.convert(call.tensor("end"), wide);
    Value weight = t.operand(call.arg("weight"), wide);
    Value apart = t.subtract(b, a);
    if (call.arg("weight").isNumber()) {
      boolean near = Math.abs(Tensors.toDouble(call.arg("weight"))) < 0.5;
      Value one = t.like(weight, 1);
      Value out =
          near
              ? t.add(a, t.multiply(apart, weight))
              : t.subtract(b, t.multiply(apart, t.subtract(one, weight)));
      return Arg.of(t.convert(out, element));
    }
    Value near = t.compare("LT", t.unary("stablehlo.abs", weight), t.like(weight, 0.5));
    Value first = t.add(a, t.multiply(weight, apart));
    Value second = t.subtract(b, t.multiply(apart, t.subtract(t.like(weight, 1), weight)));
    return Arg.of(t.convert(t.select(near, first, second), element));
  }

  /** {@code self + value * (tensor1 op tensor2)}. */
  private static Arg added(AtenCall call, Tensors t, Arg self, String op) {
    ElementType element =
        new Promotion().add(self).add(call.arg("tensor1")).add(call.arg("tensor2")).result();
    ElementType wide = Promotion.wide(element);
    Value a = t.convert(call.tensor("tensor1"), wide);
    Value b = t.convert(call.tensor("tensor2"), wide);
    Arg value = call.number("value");
    Value scaled = Tensors.toDouble(value) == 1 ? a : Arithmetic.times(t, a, value);
    Value out = t.add(t.operand(self, wide), t.binary(op, scaled, b));
    return Arg.of(t.convert(out, element));
  }
}
