package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.popcnt}: number of one bits. */
public final class Popcnt {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.popcnt")
          .hlo("popcnt")
          .summary("Number of one bits")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.INT)
          .gives(TypeClass.INT)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("popcnt").onIntegers(Integers::ones))
          .build();

  private Popcnt() {}
}
