package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.floor}: nearest integer downwards. */
public final class Floor {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.floor")
          .hlo("floor")
          .summary("Nearest integer downwards")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT)
          .gives(TypeClass.FLOAT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("floor").onReal(Math::floor))
          .build();

  private Floor() {}
}
