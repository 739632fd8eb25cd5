package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.concatenate}: joins operands along a dimension. */
public final class Concatenate {
  /** The dimension along which operands are joined; HLO writes a list of one. */
  public static final AttrKey<Long> DIMENSION = DataKeys.oneOf("dimension", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.concatenate")
          .hlo("concatenate")
          .summary("Joins operands along a dimension")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(DIMENSION)
          .keyword("dimension", "dim")
          .local(Concatenate::eval)
          .build();

  private Concatenate() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    ImmutableList.Builder<Literal> parts = ImmutableList.builder();
    for (Datum operand : operands) {
      parts.add((Literal) operand);
    }
    return ImmutableList.of(
        Movement.concatenate(parts.build(), Math.toIntExact(DIMENSION.get(operation))));
  }
}
