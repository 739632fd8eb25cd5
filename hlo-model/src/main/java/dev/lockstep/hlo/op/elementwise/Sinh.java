package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.sinh}: hyperbolic sine. */
public final class Sinh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.sinh")
          .hlo("sinh")
          .summary("Hyperbolic sine")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("sinh").onReal(Math::sinh).onComplex(Complexes::sinh))
          .build();

  private Sinh() {}
}
