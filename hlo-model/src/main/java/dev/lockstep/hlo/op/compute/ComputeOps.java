package dev.lockstep.hlo.op.compute;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef;

/** The list of the ops of this package, in documentation order. */
public final class ComputeOps {
  /** All of them. */
  public static final ImmutableList<OpDef> ALL =
      ImmutableList.of(
          Dot.DEF,
          DotGeneral.DEF,
          Einsum.DEF,
          UnaryEinsum.DEF,
          RaggedDot.DEF,
          ScaledDot.DEF,
          Convolution.DEF,
          DynamicConv.DEF,
          Reduce.DEF,
          ReduceWindow.DEF,
          SelectAndScatter.DEF,
          Gather.DEF,
          DynamicGather.DEF,
          Scatter.DEF,
          Sort.DEF,
          MapOp.DEF,
          Fft.DEF,
          Cholesky.DEF,
          TriangularSolve.DEF,
          BatchNormTraining.DEF,
          BatchNormInference.DEF,
          BatchNormGrad.DEF,
          Rng.DEF,
          RngBitGenerator.DEF,
          RngGetAndUpdateState.DEF,
          Scan.DEF);

  private ComputeOps() {}
}
