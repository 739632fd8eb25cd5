package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code chlo._asin_acos_kernel}: the part that complex arc sine and arc cosine share. */
public final class AsinAcosKernel {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("chlo._asin_acos_kernel")
          .summary("The part that complex arc sine and arc cosine share")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.COMPLEX.orUnranked())
          .gives(TypeClass.COMPLEX.orUnranked())
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .build();

  private AsinAcosKernel() {}
}
