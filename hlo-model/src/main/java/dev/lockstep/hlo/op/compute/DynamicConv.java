package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.AttrKey;
import dev.lockstep.hlo.op.AttrKeys;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.kernel.Results;

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
          .attributes(
              FEATURE_GROUPS,
              BATCH_GROUPS,
              ConvolutionLabels.KEY,
              Convolution.STRIDES,
              Convolution.LHS_DILATION,
              Convolution.RHS_DILATION,
              Convolution.REVERSAL)
          .inherent("precision_config")
          .local(DynamicConv::eval)
          .build();

  private DynamicConv() {}

  private static ImmutableList<Datum> eval(Operation operation, ImmutableList<Datum> operands) {
    Literal padding = Results.literal(operation, operands, 2);
    int rank = padding.count() / 2;
    int[] low = new int[rank];
    int[] high = new int[rank];
    for (int d = 0; d < rank; d++) {
      low[d] = Math.toIntExact(padding.getLong(2 * d));
      high[d] = Math.toIntExact(padding.getLong(2 * d + 1));
    }
    return ImmutableList.of(Convolution.convolve(operation, operands, low, high));
  }
}
