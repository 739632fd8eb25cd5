package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.imag}: imaginary part. */
public final class Imag {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.imag")
          .hlo("imag")
          .summary("Imaginary part")
          .form(MlirForm.UNARY_FUNCTION)
          .trait(Trait.ELEMENTWISE)
          .semantics(ElementMap.toRealPart((in, out, i) -> out.setDouble(i, in.getImaginary(i))))
          .build();

  private Imag() {}
}
