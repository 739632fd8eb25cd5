package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.dynamic_update_slice}, {@code dynamic-update-slice} in HLO: replaces a part at a
 * place given at run time.
 */
public final class DynamicUpdateSlice {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_update_slice")
          .hlo("dynamic-update-slice")
          .summary("Replaces a part at a place given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .local(DynamicUpdateSlice::eval)
          .build();

  private DynamicUpdateSlice() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    Literal update = (Literal) operands.get(1);
    long[] start =
        DataKeys.clampedStart(
            operands.subList(2, operands.size()), operand.dims(), update.dims().toArray());
    return ImmutableList.of(Movement.update(operand, update, start));
  }
}
