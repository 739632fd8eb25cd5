package dev.lockstep.hlo.op.data;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.iota}: numbers from zero along a dimension. */
public final class Iota {
  /** The dimension along which the numbers grow. */
  public static final AttrKey<Long> DIMENSION =
      AttrKeys.integer("iota_dimension", "iota_dimension");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.iota")
          .hlo("iota")
          .summary("Numbers from zero along a dimension")
          .form(MlirForm.RESULT_TYPE)
          .attributes(DIMENSION)
          .keyword("iota_dimension", "dim")
          .trait(Trait.CONSTANT)
          .build();

  private Iota() {}
}
