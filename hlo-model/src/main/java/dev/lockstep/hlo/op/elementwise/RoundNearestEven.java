package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/**
 * {@code stablehlo.round_nearest_even}, {@code round-nearest-even} in HLO: nearest integer, ties to
 * even.
 */
public final class RoundNearestEven {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.round_nearest_even")
          .hlo("round-nearest-even")
          .summary("Nearest integer, ties to even")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT)
          .gives(TypeClass.FLOAT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("round_nearest_even").onReal(Math::rint))
          .build();

  private RoundNearestEven() {}
}
