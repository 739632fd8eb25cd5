package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code chlo.is_pos_inf}: whether a number is plus infinity. */
public final class IsPosInf {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.is_pos_inf")
          .summary("Whether a number is plus infinity")
          .form(MlirForm.ARROW_TYPES)
          .trait(Trait.ELEMENTWISE)
          .semantics(
              ElementMap.toBool(
                  (in, out, i) -> out.setBoolean(i, in.getDouble(i) == Double.POSITIVE_INFINITY)))
          .build();

  private IsPosInf() {}
}
