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

/**
 * {@code stablehlo.dynamic_slice}, {@code dynamic-slice} in HLO: cuts a part out at a place given
 * at run time.
 */
public final class DynamicSlice {
  /** Size of the part in each dimension. */
  public static final AttrKey<ImmutableLongArray> SIZES =
      AttrKeys.longs("slice_sizes", "dynamic_slice_sizes");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_slice")
          .hlo("dynamic-slice")
          .summary("Cuts a part out at a place given at run time")
          .form(MlirForm.FUNCTION_TYPE)
          .attributes(SIZES)
          .keyword("slice_sizes", "sizes")
          .local(DynamicSlice::eval)
          .build();

  private DynamicSlice() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal operand = (Literal) operands.get(0);
    long[] sizes = SIZES.get(operation).toArray();
    long[] start =
        DataKeys.clampedStart(operands.subList(1, operands.size()), operand.dims(), sizes);
    long[] limit = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      limit[d] = start[d] + sizes[d];
    }
    return ImmutableList.of(Movement.slice(operand, start, limit, DataKeys.ones(start.length)));
  }
}
