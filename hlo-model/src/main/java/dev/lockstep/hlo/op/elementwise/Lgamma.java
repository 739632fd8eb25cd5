package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.lgamma}: logarithm of the magnitude of the gamma function. */
public final class Lgamma {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.lgamma")
          .summary("Logarithm of the magnitude of the gamma function")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.FLOAT.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("lgamma").onReal(Special::logGamma))
          .build();

  private Lgamma() {}
}
