package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.negate}: negation. */
public final class Negate {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.negate")
          .hlo("negate")
          .summary("Negation")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.NUMBER)
          .gives(TypeClass.NUMBER)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("negate")
                  .onIntegers((a, bits) -> -a)
                  .onReal(x -> -x)
                  .onComplex(
                      (a, b, out) -> {
                        out[0] = -a;
                        out[1] = -b;
                      }))
          .build();

  private Negate() {}
}
