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

/** {@code stablehlo.transpose}: permutes dimensions. */
public final class Transpose {
  /** The dimension of the operand for each dimension of the result. */
  public static final AttrKey<ImmutableLongArray> PERMUTATION =
      AttrKeys.longs("permutation", "dimensions");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.transpose")
          .hlo("transpose")
          .summary("Permutes dimensions")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(PERMUTATION)
          .keyword("permutation", "dims")
          .local(Transpose::eval)
          .build();

  private Transpose() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    return ImmutableList.of(
        Movement.transpose((Literal) operands.get(0), PERMUTATION.get(operation)));
  }
}
