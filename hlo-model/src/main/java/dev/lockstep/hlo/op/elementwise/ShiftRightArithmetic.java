package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.shift_right_arithmetic}, {@code shift-right-arithmetic} in HLO: shift to the
 * right that keeps the sign.
 */
public final class ShiftRightArithmetic {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.shift_right_arithmetic")
          .hlo("shift-right-arithmetic")
          .summary("Shift to the right that keeps the sign")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.INT, TypeClass.INT)
          .gives(TypeClass.INT)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("shift_right_arithmetic")
                  .onIntegers(Integers::shiftRightArithmetic))
          .build();

  private ShiftRightArithmetic() {}
}
