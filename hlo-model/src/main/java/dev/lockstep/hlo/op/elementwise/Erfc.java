package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.erfc}: complement of the error function. */
public final class Erfc {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.erfc")
          .summary("Complement of the error function")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.FLOAT.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("erfc").onReal(Special::erfc))
          .build();

  private Erfc() {}
}
