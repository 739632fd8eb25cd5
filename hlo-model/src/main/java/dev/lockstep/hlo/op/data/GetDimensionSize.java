package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.get_dimension_size}, {@code get-dimension-size} in HLO: size of a dimension. */
public final class GetDimensionSize {
  /** The dimension; HLO writes a list of one. */
  public static final AttrKey<Long> DIMENSION = DataKeys.oneOf("dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.get_dimension_size")
          .hlo("get-dimension-size")
          .summary("Size of a dimension")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(DIMENSION)
          .keyword("dimension", "dim")
          .build();

  private GetDimensionSize() {}
}
