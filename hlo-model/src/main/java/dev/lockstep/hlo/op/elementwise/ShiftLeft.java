package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.shift_left}, {@code shift-left} in HLO: shift to the left; zero when all bits
 * leave.
 */
public final class ShiftLeft {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.shift_left")
          .hlo("shift-left")
          .summary("Shift to the left; zero when all bits leave")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.INT, TypeClass.INT)
          .gives(TypeClass.INT)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(BinaryKernel.named("shift_left").onIntegers(Integers::shiftLeft))
          .build();

  private ShiftLeft() {}
}
