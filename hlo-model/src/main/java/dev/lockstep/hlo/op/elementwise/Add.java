package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.add}: sum, or on i1 logical or. */
public final class Add {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.add")
          .hlo("add")
          .summary("Sum, or on i1 logical or")
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .takes(TypeClass.TENSOR.orPerAxis(), TypeClass.TENSOR.orPerAxis())
          .gives(TypeClass.TENSOR.orPerAxis())
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("add")
                  .onBool((a, b, bits) -> a | b)
                  .onIntegers((a, b, bits) -> a + b)
                  .onReal(Double::sum)
                  .onComplex(
                      (a, b, c, d, out) -> {
                        out[0] = a + c;
                        out[1] = b + d;
                      }))
          .build();

  private Add() {}
}
