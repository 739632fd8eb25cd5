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

/** {@code stablehlo.einsum}. */
public final class Einsum {
  /** The equation, ab,bc->ac. */
  public static final AttrKey<String> EQUATION = AttrKeys.word("einsum_config", "");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.einsum")
          .summary("Sums products as an equation over named dimensions says")
          .attributes(EQUATION)
          .local(Einsum::eval)
          .build();

  private Einsum() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Equation.compute(
            EQUATION.get(operation),
            ImmutableList.of((Literal) operands.get(0), (Literal) operands.get(1)),
            (TensorType) operation.result().type()));
  }
}
