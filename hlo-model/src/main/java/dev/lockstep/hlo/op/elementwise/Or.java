package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.or}: logical or bitwise or. */
public final class Or {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.or")
          .hlo("or")
          .summary("Logical or bitwise or")
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .takes(TypeClass.PRED_OR_INT, TypeClass.PRED_OR_INT)
          .gives(TypeClass.PRED_OR_INT)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("or")
                  .onBool((a, b, bits) -> a | b)
                  .onIntegers((a, b, bits) -> a | b))
          .build();

  private Or() {}
}
