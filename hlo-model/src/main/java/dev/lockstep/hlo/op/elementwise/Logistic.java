package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.logistic}: 1 / (1 + exp(-x)). */
public final class Logistic {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.logistic")
          .hlo("logistic")
          .summary("1 / (1 + exp(-x))")
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("I2", "the accuracy fits its mode", Accuracy::check)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("logistic").onReal(Reals::logistic).onComplex(Complexes::logistic))
          .build();

  private Logistic() {}
}
