package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.maximum}: larger of two; NaN wins. */
public final class Maximum {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.maximum")
          .hlo("maximum")
          .summary("Larger of two; NaN wins")
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .takes(TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("maximum")
                  .onBool((a, b, bits) -> a | b)
                  .onSigned((a, b, bits) -> Math.max(a, b))
                  .onUnsigned(Integers::maxUnsigned)
                  .onReal(Math::max)
                  .onComplex(Complexes::maximum))
          .build();

  private Maximum() {}
}
