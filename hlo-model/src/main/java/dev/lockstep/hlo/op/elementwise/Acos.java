package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.acos}: arc cosine. */
public final class Acos {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.acos")
          .hlo("acos")
          .summary("Arc cosine")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("acos").onReal(Math::acos).onComplex(InverseComplexes::acos))
          .build();

  private Acos() {}
}
