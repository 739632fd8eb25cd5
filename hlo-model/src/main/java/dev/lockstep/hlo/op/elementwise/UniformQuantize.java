package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.uniform_quantize}: quantizes or requantizes. */
public final class UniformQuantize {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.uniform_quantize")
          .summary("Quantizes or requantizes")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.FLOAT.orPerAxis())
          .gives(TypeClass.QUANTIZED.orPerAxis())
          .constraint("C1", "operand and result have one shape", QuantizationRules::shapes)
          .constraint(
              "C2", "the result stands for numbers of the operand", QuantizationRules::numbers)
          // The interpreter turns what is stored into what it stands for, and back.
          .local((operation, operands) -> operands)
          .build();

  private UniformQuantize() {}
}
