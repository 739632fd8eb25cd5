package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.atanh}: inverse hyperbolic tangent. */
public final class Atanh {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.atanh")
          .hlo("atanh")
          .summary("Inverse hyperbolic tangent")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("atanh").onReal(Reals::atanh).onComplex(InverseComplexes::atanh))
          .build();

  private Atanh() {}
}
