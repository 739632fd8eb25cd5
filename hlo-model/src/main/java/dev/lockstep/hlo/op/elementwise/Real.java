package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.real}: real part. */
public final class Real {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.real")
          .hlo("real")
          .summary("Real part")
          .form(MlirForm.UNARY_FUNCTION)
          .trait(Trait.ELEMENTWISE)
          .semantics(ElementMap.toRealPart((in, out, i) -> out.setDouble(i, in.getDouble(i))))
          .build();

  private Real() {}
}
