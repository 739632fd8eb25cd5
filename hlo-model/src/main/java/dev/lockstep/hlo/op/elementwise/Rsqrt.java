package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.rsqrt}: reciprocal of the square root. */
public final class Rsqrt {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.rsqrt")
          .hlo("rsqrt")
          .summary("Reciprocal of the square root")
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("I2", "the accuracy fits its mode", Accuracy::check)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("rsqrt")
                  .onReal(x -> 1 / Math.sqrt(x))
                  .onComplex(Complexes::reciprocalSqrt))
          .build();

  private Rsqrt() {}
}
