package dev.lockstep.hlo.op.data;

import com.google.common.primitives.ImmutableLongArray;
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
          .build();

  private DynamicSlice() {}
}
