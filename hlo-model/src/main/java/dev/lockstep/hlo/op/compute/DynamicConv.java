package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.OpDef;
import dev.lockstep.hlo.op.TensorRule;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.op.kernel.Results;

/** {@code stablehlo.dynamic_conv}. */
public final class DynamicConv {
  /** The definition. */
  public static final OpDef DEF =
      OpDef.named("stablehlo.dynamic_conv")
          .summary("Convolves with a padding that is a value")
          .attributes(
              Convolution.FEATURE_GROUPS,
              Convolution.BATCH_GROUPS,
              ConvolutionLabels.KEY,
              Convolution.STRIDES,
              Convolution.LHS_DILATION,
              Convolution.RHS_DILATION,
              Convolution.REVERSAL)
          .inherent("precision_config")
          .takes(TypeClass.TENSOR, TypeClass.TENSOR, TypeClass.INT.ofRank(2).fixed())
          .gives(TypeClass.TENSOR)
          .constraints(ConvolutionRules.all())
          .constraint(
              "C4",
              "there are two amounts of padding for each window",
              TensorRule.of(
                  it ->
                      it.require(
                          it.operand(2).rank() == 2
                              && it.operand(2).dim(0) == it.operand(0).rank() - 2
                              && it.operand(2).dim(1) == 2,
                          "padding has type %s, must have %d rows of 2",
                          it.operand(2),
                          it.operand(0).rank() - 2)))
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
