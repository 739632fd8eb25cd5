package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.concatenate}: joins operands along a dimension. */
public final class Concatenate {
  /** The dimension along which operands are joined; HLO writes a list of one. */
  public static final AttrKey<Long> DIMENSION = DataKeys.oneOf("dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.concatenate")
          .hlo("concatenate")
          .summary("Joins operands along a dimension")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(DIMENSION)
          .keyword("dimension", "dim")
          .build();

  private Concatenate() {}
}
