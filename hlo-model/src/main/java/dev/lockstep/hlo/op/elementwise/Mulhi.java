package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.mulhi}: upper half of the product of integers. */
public final class Mulhi {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.mulhi")
          .hlo("mulhi")
          .summary("Upper half of the product of integers")
          .form(MlirForm.GENERIC)
          .trait(Trait.ELEMENTWISE)
          .semantics(
              BinaryKernel.named("mulhi")
                  .onSigned(Integers::multiplyHigh)
                  .onUnsigned(Integers::multiplyHighUnsigned))
          .build();

  private Mulhi() {}
}
