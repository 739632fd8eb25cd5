package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.dynamic_conv}. */
public final class DynamicConv {
  /** Groups along the feature dimension; one when absent. */
  public static final AttrKey<Long> FEATURE_GROUPS =
      AttrKeys.integer("feature_group_count", "feature_group_count");

  /** Groups along the batch dimension; one when absent. */
  public static final AttrKey<Long> BATCH_GROUPS =
      AttrKeys.integer("batch_group_count", "batch_group_count");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_conv")
          .summary("Convolves with a padding that is a value")
          .attributes(FEATURE_GROUPS, BATCH_GROUPS)
          .inherent(
              "window_strides",
              "lhs_dilation",
              "rhs_dilation",
              "window_reversal",
              "dimension_numbers",
              "precision_config")
          .build();

  private DynamicConv() {}
}
