package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.sign}: -1, 0 or 1; NaN stays. */
public final class Sign {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.sign")
          .hlo("sign")
          .summary("-1, 0 or 1; NaN stays")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.SIGNED_NUMBER)
          .gives(TypeClass.SIGNED_NUMBER)
          .constraint("C1", "operand and result have one type", TensorRule.sameType())
          .semantics(
              UnaryKernel.named("sign")
                  .onSigned((a, bits) -> Long.signum(a))
                  .onUnsigned((a, bits) -> a == 0 ? 0 : 1)
                  .onReal(Math::signum)
                  .onComplex(Complexes::sign))
          .build();

  private Sign() {}
}
