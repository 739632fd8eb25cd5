package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.is_inf}: whether a number is infinite. */
public final class IsInf {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.is_inf")
          .summary("Whether a number is infinite")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .semantics(
              ElementMap.toBool(
                  (in, out, i) -> out.setBoolean(i, Double.isInfinite(in.getDouble(i)))))
          .build();

  private IsInf() {}
}
