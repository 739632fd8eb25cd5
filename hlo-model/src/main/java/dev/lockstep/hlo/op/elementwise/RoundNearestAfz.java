package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.round_nearest_afz}, {@code round-nearest-afz} in HLO: nearest integer, ties away
 * from zero.
 */
public final class RoundNearestAfz {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.round_nearest_afz")
          .hlo("round-nearest-afz")
          .summary("Nearest integer, ties away from zero")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT)
          .gives(TypeClass.FLOAT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("round_nearest_afz").onReal(Reals::roundAwayFromZero))
          .build();

  private RoundNearestAfz() {}
}
