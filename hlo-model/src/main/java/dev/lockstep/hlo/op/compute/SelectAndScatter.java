package dev.lockstep.hlo.op.compute;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.select_and_scatter}, HLO's {@code select-and-scatter}. */
public final class SelectAndScatter {
  /** Sizes of the window. */
  public static final AttrKey<ImmutableLongArray> SIZE =
      AttrKeys.longs("window_dimensions", "window.size");

  /** Steps of the window; ones when absent. */
  public static final AttrKey<ImmutableLongArray> STRIDES =
      AttrKeys.longs("window_strides", "window.stride");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.select_and_scatter")
          .hlo("select-and-scatter")
          .summary("Adds each source element to the element that its window selects")
          .attributes(SIZE, STRIDES)
          .inherent("padding")
          .bodies("select", "scatter")
          .build();

  private SelectAndScatter() {}
}
