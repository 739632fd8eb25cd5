package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.digamma}: logarithmic derivative of the gamma function. */
public final class Digamma {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.digamma")
          .summary("Logarithmic derivative of the gamma function")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.FLOAT.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("digamma").onReal(Special::digamma))
          .build();

  private Digamma() {}
}
