package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/** {@code stablehlo.compare}: compares elements. */
public final class Compare {
  /** {@code EQ}, {@code NE}, {@code GE}, {@code GT}, {@code LE} or {@code LT}. */
  public static final AttrKey<String> DIRECTION =
      AttrKeys.word("comparison_direction", "direction");

  /** {@code FLOAT}, {@code TOTALORDER}, {@code SIGNED} or {@code UNSIGNED}. */
  public static final AttrKey<String> TYPE = AttrKeys.word("compare_type", "type");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.compare")
          .hlo("compare")
          .summary("Compares elements")
          .form(MlirForm.COMPARE)
          .trait(Trait.ELEMENTWISE)
          .attributes(DIRECTION, TYPE)
          .build();

  private Compare() {}
}
