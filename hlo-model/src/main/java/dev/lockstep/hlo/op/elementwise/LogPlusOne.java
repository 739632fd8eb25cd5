package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.log_plus_one}, {@code log-plus-one} in HLO: natural logarithm of one more than
 * the operand.
 */
public final class LogPlusOne {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.log_plus_one")
          .hlo("log-plus-one")
          .summary("Natural logarithm of one more than the operand")
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("I2", "the accuracy fits its mode", Accuracy::check)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("log_plus_one")
                  .onReal(Math::log1p)
                  .onComplex(Complexes::logPlusOne))
          .build();

  private LogPlusOne() {}
}
