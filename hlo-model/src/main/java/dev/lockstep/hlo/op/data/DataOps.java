package dev.lockstep.hlo.op.data;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef;

/** The ops that make and move data. */
public final class DataOps {
  /** All of them, in documentation order. */
  public static final ImmutableList<OpDef> ALL =
      ImmutableList.of(
          TopK.DEF,
          ChloConstant.DEF,
          ConstantLike.DEF,
          Constant.DEF,
          Iota.DEF,
          DynamicIota.DEF,
          BroadcastInDim.DEF,
          Broadcast.DEF,
          DynamicBroadcastInDim.DEF,
          Reshape.DEF,
          DynamicReshape.DEF,
          Bitcast.DEF,
          BitcastConvert.DEF,
          Transpose.DEF,
          Slice.DEF,
          DynamicSlice.DEF,
          DynamicUpdateSlice.DEF,
          RealDynamicSlice.DEF,
          Concatenate.DEF,
          Pad.DEF,
          DynamicPad.DEF,
          Reverse.DEF,
          GetDimensionSize.DEF,
          SetDimensionSize.DEF,
          OptimizationBarrier.DEF,
          TorchIndexSelect.DEF,
          Copy.DEF,
          CopyStart.DEF,
          CopyDone.DEF,
          Domain.DEF);

  private DataOps() {}
}
