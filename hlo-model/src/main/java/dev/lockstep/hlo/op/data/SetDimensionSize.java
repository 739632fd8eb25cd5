package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.set_dimension_size}, {@code set-dimension-size} in HLO: sets the size of a
 * dynamic dimension.
 */
public final class SetDimensionSize {
  /** The dimension; HLO writes a list of one. */
  public static final AttrKey<Long> DIMENSION = DataKeys.oneOf("dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.set_dimension_size")
          .hlo("set-dimension-size")
          .summary("Sets the size of a dynamic dimension")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(DIMENSION)
          .keyword("dimension", "dim")
          .build();

  private SetDimensionSize() {}
}
