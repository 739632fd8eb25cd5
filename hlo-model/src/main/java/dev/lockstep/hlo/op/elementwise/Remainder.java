package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.remainder}: remainder with the sign of the dividend. */
public final class Remainder {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.remainder")
          .hlo("remainder")
          .summary("Remainder with the sign of the dividend")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.NUMBER, TypeClass.NUMBER)
          .gives(TypeClass.NUMBER)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("remainder")
                  .onSigned(Integers::remainder)
                  .onUnsigned(Integers::remainderUnsigned)
                  .onReal((a, b) -> a % b))
          .build();

  private Remainder() {}
}
