package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.power}: left operand to the power of the right. */
public final class Power {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.power")
          .hlo("power")
          .summary("Left operand to the power of the right")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.NUMBER, TypeClass.NUMBER)
          .gives(TypeClass.NUMBER)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("power")
                  .onSigned(Integers::power)
                  .onUnsigned(Integers::powerUnsigned)
                  .onReal(Reals::power)
                  .onComplex(Complexes::power))
          .build();

  private Power() {}
}
