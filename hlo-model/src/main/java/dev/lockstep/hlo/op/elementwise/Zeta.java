package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.zeta}: hurwitz zeta function. */
public final class Zeta {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.zeta")
          .summary("Hurwitz zeta function")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain().orUnranked(), TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.FLOAT.plain().orUnranked())
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(BinaryKernel.named("zeta").onReal(Special::zeta))
          .build();

  private Zeta() {}
}
