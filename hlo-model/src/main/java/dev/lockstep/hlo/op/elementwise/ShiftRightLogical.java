package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.shift_right_logical}, {@code shift-right-logical} in HLO: shift to the right
 * that brings in zeros.
 */
public final class ShiftRightLogical {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.shift_right_logical")
          .hlo("shift-right-logical")
          .summary("Shift to the right that brings in zeros")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.INT, TypeClass.INT)
          .gives(TypeClass.INT)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("shift_right_logical").onIntegers(Integers::shiftRightLogical))
          .build();

  private ShiftRightLogical() {}
}
