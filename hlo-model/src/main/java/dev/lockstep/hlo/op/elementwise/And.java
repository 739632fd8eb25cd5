package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.and}: logical or bitwise and. */
public final class And {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.and")
          .hlo("and")
          .summary("Logical or bitwise and")
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .takes(TypeClass.PRED_OR_INT, TypeClass.PRED_OR_INT)
          .gives(TypeClass.PRED_OR_INT)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("and")
                  .onBool((a, b, bits) -> a & b)
                  .onIntegers((a, b, bits) -> a & b))
          .build();

  private And() {}
}
