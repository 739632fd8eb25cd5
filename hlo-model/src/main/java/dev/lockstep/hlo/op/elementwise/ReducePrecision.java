package dev.lockstep.hlo.op.elementwise;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

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
          .trait(Trait.ELEMENTWISE)
          .attributes(EXPONENT_BITS, MANTISSA_BITS)
          .takes(TypeClass.FLOAT)
          .gives(TypeClass.FLOAT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .constraint(
              "C2",
              "there is at least one bit of exponent",
              TensorRule.of(
                  it ->
                      it.require(
                          EXPONENT_BITS.get(it.operation()) >= 1,
                          "%s bits of exponent",
                          EXPONENT_BITS.get(it.operation()))))
          .constraint(
              "C3",
              "the number of bits of mantissa is not negative",
              TensorRule.of(
                  it ->
                      it.require(
                          MANTISSA_BITS.get(it.operation()) >= 0,
                          "%s bits of mantissa",
                          MANTISSA_BITS.get(it.operation()))))
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
