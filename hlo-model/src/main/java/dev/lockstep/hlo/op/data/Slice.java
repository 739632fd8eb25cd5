package dev.lockstep.hlo.op.data;

import com.google.common.primitives.ImmutableLongArray;
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
          .build();

  private Slice() {}
}
