package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.imag}: imaginary part. */
public final class Imag {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.imag")
          .hlo("imag")
          .summary("Imaginary part")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT_OR_COMPLEX.plain())
          .gives(TypeClass.FLOAT.plain())
          .constraint("C1", "operand and result have one shape", TensorRule.sameShape())
          .constraint("C2", "the result has the elements of the real part", ElementRules.realPart())
          .semantics(ElementMap.toRealPart((in, out, i) -> out.setDouble(i, in.getImaginary(i))))
          .build();

  private Imag() {}
}
