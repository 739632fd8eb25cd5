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

/** {@code stablehlo.slice}: cuts a regular part out. */
public final class Slice {
  /** First index in each dimension. */
  public static final AttrKey<ImmutableLongArray> START =
      AttrKeys.longs("start_indices", "slice.start");

  /** Index after the last in each dimension. */
  public static final AttrKey<ImmutableLongArray> LIMIT =
      AttrKeys.longs("limit_indices", "slice.limit");

  /** Step in each dimension. */
  public static final AttrKey<ImmutableLongArray> STRIDES =
      AttrKeys.longs("strides", "slice.strides");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.slice")
          .hlo("slice")
          .summary("Cuts a regular part out")
          .form(MlirForm.SLICE)
          .attributes(START, LIMIT, STRIDES)
          .local(Slice::eval)
          .build();

  private Slice() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    long[] start = START.get(operation).toArray();
    ImmutableLongArray strides = STRIDES.find(operation);
    long[] by = strides == null ? DataKeys.ones(start.length) : strides.toArray();
    return ImmutableList.of(
        Movement.slice((Literal) operands.get(0), start, LIMIT.get(operation).toArray(), by));
  }
}
