package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.xor}: logical or bitwise exclusive or. */
public final class Xor {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.xor")
          .hlo("xor")
          .summary("Logical or bitwise exclusive or")
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .takes(TypeClass.PRED_OR_INT, TypeClass.PRED_OR_INT)
          .gives(TypeClass.PRED_OR_INT)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("xor")
                  .onBool((a, b, bits) -> a ^ b)
                  .onIntegers((a, b, bits) -> a ^ b))
          .build();

  private Xor() {}
}
