package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.OpDef.Trait;
import dev.lockstep.hlo.op.TypeClass;

/** {@code stablehlo.uniform_dequantize}: turns quantized numbers into floats. */
public final class UniformDequantize {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.uniform_dequantize")
          .summary("Turns quantized numbers into floats")
          .trait(Trait.ELEMENTWISE)
          .takes(TypeClass.QUANTIZED.orPerAxis())
          .gives(TypeClass.FLOAT.plain())
          .constraint("C1", "operand and result have one shape", QuantizationRules::shapes)
          .constraint(
              "C2",
              "the result has the numbers that the operand stands for",
              QuantizationRules::numbers)
          // The interpreter turns what is stored into what it stands for, and back.
          .local((operation, operands) -> operands)
          .build();

  private UniformDequantize() {}
}
