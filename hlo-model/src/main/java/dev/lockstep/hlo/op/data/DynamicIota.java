package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.dynamic_iota}: numbers from zero along a dimension of a shape given at run time.
 */
public final class DynamicIota {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_iota")
          .summary("Numbers from zero along a dimension of a shape given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(Iota.DIMENSION)
          .keyword("iota_dimension", "dim")
          .build();

  private DynamicIota() {}
}
