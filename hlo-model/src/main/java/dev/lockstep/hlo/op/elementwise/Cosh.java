package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.cosh}: hyperbolic cosine. */
public final class Cosh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.cosh")
          .hlo("cosh")
          .summary("Hyperbolic cosine")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("cosh").onReal(Math::cosh).onComplex(Complexes::cosh))
          .build();

  private Cosh() {}
}
