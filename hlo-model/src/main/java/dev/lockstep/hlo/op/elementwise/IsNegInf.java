package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.is_neg_inf}: whether a number is minus infinity. */
public final class IsNegInf {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.is_neg_inf")
          .summary("Whether a number is minus infinity")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .semantics(
              ElementMap.toBool(
                  (in, out, i) -> out.setBoolean(i, in.getDouble(i) == Double.NEGATIVE_INFINITY)))
          .build();

  private IsNegInf() {}
}
