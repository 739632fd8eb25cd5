package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
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
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      Comparison.compare(
                          DIRECTION.get(operation),
                          "TOTALORDER".equals(TYPE.find(operation)),
                          (Literal) operands.get(0),
                          (Literal) operands.get(1))))
          .build();

  private Compare() {}
}
