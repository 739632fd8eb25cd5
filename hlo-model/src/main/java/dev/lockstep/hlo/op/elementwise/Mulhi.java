package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.mulhi}: upper half of the product of integers. */
public final class Mulhi {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.mulhi")
          .hlo("mulhi")
          .summary("Upper half of the product of integers")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.INT, TypeClass.INT)
          .gives(TypeClass.INT)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("mulhi")
                  .onSigned(Integers::multiplyHigh)
                  .onUnsigned(Integers::multiplyHighUnsigned))
          .build();

  private Mulhi() {}
}
