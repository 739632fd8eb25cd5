package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.conj}: complex conjugate. */
public final class Conj {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.conj")
          .summary("Complex conjugate")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("conj")
                  .onReal(x -> x)
                  .onComplex(
                      (a, b, out) -> {
                        out[0] = a;
                        out[1] = -b;
                      }))
          .build();

  private Conj() {}
}
