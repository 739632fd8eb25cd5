package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.complex}: complex numbers from real and imaginary parts. */
public final class Complex {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.complex")
          .hlo("complex")
          .summary("Complex numbers from real and imaginary parts")
          .form(MlirForm.SPECIAL)
          .trait(Trait.ELEMENTWISE)
          .build();

  private Complex() {}
}
