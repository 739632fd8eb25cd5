package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.asin}: arc sine. */
public final class Asin {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.asin")
          .hlo("asin")
          .summary("Arc sine")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("asin").onReal(Math::asin).onComplex(InverseComplexes::asin))
          .build();

  private Asin() {}
}
