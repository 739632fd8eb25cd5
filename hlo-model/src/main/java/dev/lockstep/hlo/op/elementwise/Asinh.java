package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.asinh}: inverse hyperbolic sine. */
public final class Asinh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.asinh")
          .hlo("asinh")
          .summary("Inverse hyperbolic sine")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("asinh").onReal(Reals::asinh).onComplex(InverseComplexes::asinh))
          .build();

  private Asinh() {}
}
