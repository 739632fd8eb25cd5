package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.not}: logical or bitwise not. */
public final class Not {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.not")
          .hlo("not")
          .summary("Logical or bitwise not")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.PRED_OR_INT)
          .gives(TypeClass.PRED_OR_INT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("not").onBool((a, bits) -> 1 - a).onIntegers((a, bits) -> ~a))
          .build();

  private Not() {}
}
