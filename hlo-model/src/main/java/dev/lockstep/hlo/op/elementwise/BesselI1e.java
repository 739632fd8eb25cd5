package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo.bessel_i1e}: exponentially scaled modified Bessel function of order one. */
public final class BesselI1e {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo.bessel_i1e")
          .summary("Exponentially scaled modified Bessel function of order one")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .gives(TypeClass.FLOAT_OR_COMPLEX.plain().orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(UnaryKernel.named("bessel_i1e").onReal(Special::besselI1Scaled))
          .build();

  private BesselI1e() {}
}
