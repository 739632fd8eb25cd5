package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;

/**
 * {@code stablehlo.reduce_precision}, {@code reduce-precision} in HLO: rounds to a format with
 * fewer bits and back.
 */
public final class ReducePrecision {
  /** Bits of the exponent that stay. */
  public static final AttrKey<Long> EXPONENT_BITS =
      AttrKeys.integer("exponent_bits", "exponent_bits");

  /** Bits of the mantissa that stay. */
  public static final AttrKey<Long> MANTISSA_BITS =
      AttrKeys.integer("mantissa_bits", "mantissa_bits");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reduce_precision")
          .hlo("reduce-precision")
          .summary("Rounds to a format with fewer bits and back")
          .form(MlirForm.SPECIAL)
          .trait(Trait.ELEMENTWISE)
          .attributes(EXPONENT_BITS, MANTISSA_BITS)
          .local(
              (operation, operands) ->
                  ImmutableList.of(
                      Precision.reduce(
                          (Literal) operands.get(0),
                          Math.toIntExact(EXPONENT_BITS.get(operation)),
                          Math.toIntExact(MANTISSA_BITS.get(operation)))))
          .build();

  private ReducePrecision() {}
}
