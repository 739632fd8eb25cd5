package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.exponential_minus_one}, {@code exponential-minus-one} in HLO: e to the power of
 * the operand, less one.
 */
public final class ExponentialMinusOne {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.exponential_minus_one")
          .hlo("exponential-minus-one")
          .summary("e to the power of the operand, less one")
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("I2", "the accuracy fits its mode", Accuracy::check)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("exponential_minus_one")
                  .onReal(Math::expm1)
                  .onComplex(Complexes::expMinusOne))
          .build();

  private ExponentialMinusOne() {}
}
