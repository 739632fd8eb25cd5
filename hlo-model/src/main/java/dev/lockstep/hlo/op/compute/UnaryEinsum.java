package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.kernel.Equation;
import dev.lockstep.hlo.type.TensorType;

/** {@code stablehlo.unary_einsum}. */
public final class UnaryEinsum {
  /** The equation, ab->a. */
  public static final AttrKey<String> EQUATION = AttrKeys.word("einsum_config", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.unary_einsum")
          .summary("Rearranges and sums one tensor as an equation says")
          .attributes(EQUATION)
          .local(UnaryEinsum::eval)
          .build();

  private UnaryEinsum() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Equation.compute(
            EQUATION.get(operation),
            ImmutableList.of((Literal) operands.get(0)),
            (TensorType) operation.result().type()));
  }
}
