package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;

/** {@code stablehlo.and}: logical or bitwise and. */
public final class And {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.and")
          .hlo("and")
          .summary("Logical or bitwise and")
          .form(MlirForm.SAME_TYPES)
          .trait(Trait.ELEMENTWISE, Trait.COMMUTATIVE)
          .constraint("C1", "operands and result have one type", TensorRule.sameType())
          .semantics(
              BinaryKernel.named("and")
                  .onBool((a, b, bits) -> a & b)
                  .onIntegers((a, b, bits) -> a & b))
          .build();

  private And() {}
}
