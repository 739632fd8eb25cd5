package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.count_leading_zeros}, {@code count-leading-zeros} in HLO: number of leading zero
 * bits.
 */
public final class CountLeadingZeros {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.count_leading_zeros")
          .hlo("count-leading-zeros")
          .summary("Number of leading zero bits")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.INT)
          .gives(TypeClass.INT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("count_leading_zeros").onIntegers(Integers::leadingZeros))
          .build();

  private CountLeadingZeros() {}
}
