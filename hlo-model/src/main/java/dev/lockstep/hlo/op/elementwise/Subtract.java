package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.subtract}: difference. */
public final class Subtract {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.subtract")
          .hlo("subtract")
          .summary("Difference")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.NUMBER, TypeClass.NUMBER)
          .gives(TypeClass.NUMBER)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("subtract")
                  .onIntegers((a, b, bits) -> a - b)
                  .onReal((a, b) -> a - b)
                  .onComplex(
                      (a, b, c, d, out) -> {
                        out[0] = a - c;
                        out[1] = b - d;
                      }))
          .build();

  private Subtract() {}
}
