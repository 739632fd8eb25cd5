package dev.lockstep.hlo.op.compute;

import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.MlirForm;
import dev.lockstep.hlo.op.OpDef;

/** {@code stablehlo.convolution}. */
public final class Convolution {
  /** Groups along the feature dimension; one when absent. */
  public static final AttrKey<Long> FEATURE_GROUPS =
      AttrKeys.integer("feature_group_count", "feature_group_count");

  /** Groups along the batch dimension; one when absent. */
  public static final AttrKey<Long> BATCH_GROUPS =
      AttrKeys.integer("batch_group_count", "batch_group_count");

  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.convolution")
          .hlo("convolution")
          .summary("Slides windows of the right operand over the left one")
          .form(MlirForm.CONVOLUTION)
          .attributes(FEATURE_GROUPS, BATCH_GROUPS)
          .inherent(
              "window_strides",
              "padding",
              "lhs_dilation",
              "rhs_dilation",
              "window_reversal",
              "dimension_numbers",
              "precision_config")
          .build();

  private Convolution() {}
}
