package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.polygamma}: polygamma function of the order of the left operand. */
public final class Polygamma {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.polygamma")
          .summary("Polygamma function of the order of the left operand")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain().orUnranked(), TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.FLOAT.plain().orUnranked())
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(BinaryKernel.named("polygamma").onReal(Special::polygamma))
          .build();

  private Polygamma() {}
}
