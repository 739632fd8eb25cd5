package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.type.TensorType;

/**
 * {@code stablehlo.broadcast_in_dim}, {@code broadcast} in HLO: repeats the operand along new and
 * unit dimensions.
 */
public final class BroadcastInDim {
  /** The dimension of the result for each dimension of the operand. */
  public static final AttrKey<ImmutableLongArray> DIMENSIONS =
      AttrKeys.longs("broadcast_dimensions", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.broadcast_in_dim")
          .hlo("broadcast")
          .summary("Repeats the operand along new and unit dimensions")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(DIMENSIONS)
          .keyword("broadcast_dimensions", "dims")
          .local(BroadcastInDim::eval)
          .build();

  private BroadcastInDim() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    TensorType type = (TensorType) operation.result().type();
    ImmutableLongArray places = DIMENSIONS.getOr(operation, ImmutableLongArray.of());
    return ImmutableList.of(Movement.broadcast((Literal) operands.get(0), type.dims(), places));
  }
}
