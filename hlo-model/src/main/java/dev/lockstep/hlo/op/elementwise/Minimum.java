package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.minimum}: smaller of two; NaN wins. */
public final class Minimum {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.minimum")
          .hlo("minimum")
          .summary("Smaller of two; NaN wins")
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .takes(TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("minimum")
                  .onBool((a, b, bits) -> a & b)
                  .onSigned((a, b, bits) -> Math.min(a, b))
                  .onUnsigned(Integers::minUnsigned)
                  .onReal(Math::min)
                  .onComplex(Complexes::minimum))
          .build();

  private Minimum() {}
}
