package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.square}: product with itself. */
public final class Square {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.square")
          .summary("Product with itself")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("square")
                  .onIntegers((a, bits) -> a * a)
                  .onReal(x -> x * x)
                  .onComplex(Complexes::square))
          .build();

  private Square() {}
}
