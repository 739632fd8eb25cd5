package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.sqrt}: square root. */
public final class Sqrt {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.sqrt")
          .hlo("sqrt")
          .summary("Square root")
          .trait(Trait.ELEMENTWISE)
          .inherent("result_accuracy")
          .takes(TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("I2", "the accuracy fits its mode", Accuracy::check)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("sqrt").onReal(Math::sqrt).onComplex(Complexes::sqrt))
          .build();

  private Sqrt() {}
}
