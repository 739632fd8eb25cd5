package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.ceil}: nearest integer upwards. */
public final class Ceil {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.ceil")
          .hlo("ceil")
          .summary("Nearest integer upwards")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT)
          .gives(TypeClass.FLOAT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("ceil").onReal(Math::ceil))
          .build();

  private Ceil() {}
}
