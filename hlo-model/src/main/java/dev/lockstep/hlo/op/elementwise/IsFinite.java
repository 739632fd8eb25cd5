package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.is_finite}, {@code is-finite} in HLO: whether a number is neither infinite nor
 * NaN.
 */
public final class IsFinite {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.is_finite")
          .hlo("is-finite")
          .summary("Whether a number is neither infinite nor NaN")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT)
          .gives(TypeClass.PRED)
          .constraint("C1", "operand and result have one shape", TensorRule.sameShape())
          .semantics(
              ElementMap.toBool(
                  (in, out, i) -> out.setBoolean(i, Double.isFinite(in.getDouble(i)))))
          .build();

  private IsFinite() {}
}
