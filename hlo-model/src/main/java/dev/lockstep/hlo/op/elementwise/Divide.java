package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.divide}: quotient; truncated for integers. */
public final class Divide {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.divide")
          .hlo("divide")
          .summary("Quotient; truncated for integers")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.NUMBER, TypeClass.NUMBER)
          .gives(TypeClass.NUMBER)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("divide")
                  .onSigned(Integers::divide)
                  .onUnsigned(Integers::divideUnsigned)
                  .onReal((a, b) -> a / b)
                  .onComplex(Complexes::divide))
          .build();

  private Divide() {}
}
