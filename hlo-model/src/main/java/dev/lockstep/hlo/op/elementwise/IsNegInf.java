package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.is_neg_inf}: whether a number is minus infinity. */
public final class IsNegInf {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.is_neg_inf")
          .summary("Whether a number is minus infinity")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.plain().orUnranked())
          .gives(TypeClass.PRED.orUnranked())
          .constraint("C1", "operand and result have one shape", TensorRule.sameShape())
          .semantics(
              ElementMap.toBool(
                  (in, out, i) -> out.setBoolean(i, in.getDouble(i) == Double.NEGATIVE_INFINITY)))
          .build();

  private IsNegInf() {}
}
