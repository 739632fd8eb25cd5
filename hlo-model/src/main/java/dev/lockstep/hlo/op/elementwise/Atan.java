package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.atan}: arc tangent. */
public final class Atan {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.atan")
          .summary("Arc tangent")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("atan").onReal(Math::atan).onComplex(InverseComplexes::atan))
          .build();

  private Atan() {}
}
