package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.dynamic_pad}: pads by amounts given at run time. */
public final class DynamicPad {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_pad")
          .summary("Pads by amounts given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .local(DynamicPad::eval)
          .build();

  private DynamicPad() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Movement.pad(
            (Literal) operands.get(0),
            (Literal) operands.get(1),
            ((Literal) operands.get(2)).toLongs(),
            ((Literal) operands.get(3)).toLongs(),
            ((Literal) operands.get(4)).toLongs()));
  }
}
