package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.atan2}: angle of the point (rhs, lhs). */
public final class Atan2 {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.atan2")
          .hlo("atan2")
          .summary("Angle of the point (rhs, lhs)")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX, TypeClass.FLOAT_OR_COMPLEX)
          .gives(TypeClass.FLOAT_OR_COMPLEX)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(BinaryKernel.named("atan2").onReal(Math::atan2).onComplex(Complexes::atan2))
          .build();

  private Atan2() {}
}
