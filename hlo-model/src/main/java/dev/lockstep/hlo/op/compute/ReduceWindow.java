package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.reduce_window}, HLO's {@code reduce-window}. */
public final class ReduceWindow {
  /** Sizes of the window. */
  public static final AttrKey<ImmutableLongArray> SIZE =
      AttrKeys.longs("window_dimensions", "window.size");

  /** Steps of the window; ones when absent. */
  public static final AttrKey<ImmutableLongArray> STRIDES =
      AttrKeys.longs("window_strides", "window.stride");

  /** Dilation of the operand; ones when absent. */
  public static final AttrKey<ImmutableLongArray> BASE_DILATION =
      AttrKeys.longs("base_dilations", "window.lhs_dilate");

  /** Dilation of the window; ones when absent. */
  public static final AttrKey<ImmutableLongArray> WINDOW_DILATION =
      AttrKeys.longs("window_dilations", "window.rhs_dilate");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.reduce_window")
          .hlo("reduce-window")
          .summary("Folds windows with a function")
          .attributes(SIZE, STRIDES, BASE_DILATION, WINDOW_DILATION)
          .inherent("padding")
          .bodies("to_apply")
          .build();

  private ReduceWindow() {}
}
