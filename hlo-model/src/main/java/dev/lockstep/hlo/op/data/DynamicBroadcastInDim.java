package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/**
 * {@code stablehlo.dynamic_broadcast_in_dim}: repeats the operand along dimensions of a shape given
 * at run time.
 */
public final class DynamicBroadcastInDim {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_broadcast_in_dim")
          .summary("Repeats the operand along dimensions of a shape given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(BroadcastInDim.DIMENSIONS)
          .inherent("known_expanding_dimensions", "known_nonexpanding_dimensions")
          .keyword("broadcast_dimensions", "dims")
          .local(DynamicBroadcastInDim::eval)
          .build();

  private DynamicBroadcastInDim() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    ImmutableLongArray dims = ImmutableLongArray.copyOf(((Literal) operands.get(1)).toLongs());
    return ImmutableList.of(
        Movement.broadcast(
            (Literal) operands.get(0), dims, BroadcastInDim.DIMENSIONS.get(operation)));
  }
}
