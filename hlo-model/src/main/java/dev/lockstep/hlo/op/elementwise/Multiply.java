package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.multiply}: product, or on i1 logical and. */
public final class Multiply {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.multiply")
          .hlo("multiply")
          .summary("Product, or on i1 logical and")
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .takes(TypeClass.TENSOR, TypeClass.TENSOR)
          .gives(TypeClass.TENSOR)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("multiply")
                  .onBool((a, b, bits) -> a & b)
                  .onIntegers((a, b, bits) -> a * b)
                  .onReal((a, b) -> a * b)
                  .onComplex(Complexes::multiply))
          .build();

  private Multiply() {}
}
