package dev.lockstep.hlo.op.control;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef;

/** The list of the ops of this package, in documentation order. */
public final class ControlOps {
  /** All of them. */
  public static final ImmutableList<OpDef> ALL =
      ImmutableList.of(
          While.DEF,
          If.DEF,
          Case.DEF,
          Conditional.DEF,
          Fusion.DEF,
          CustomCall.DEF,
          Composite.DEF,
          TupleOp.DEF,
          GetTupleElement.DEF,
          AfterAll.DEF,
          CreateToken.DEF,
          AddDependency.DEF,
          Return.DEF,
          Trace.DEF,
          SdyMesh.DEF,
          SdyManualComputation.DEF,
          SdyNamedComputation.DEF,
          SdyReturn.DEF,
          SdyConstant.DEF,
          SdyShardingConstraint.DEF,
          SdyReshard.DEF,
          SdyPropagationBarrier.DEF,
          SdyDataFlowEdge.DEF,
          SdyFuncDataFlowEdge.DEF,
          SdyAllGather.DEF,
          SdyAllSlice.DEF,
          SdyAllReduce.DEF,
          SdyReduceScatter.DEF,
          SdyAllToAll.DEF,
          SdyCollectivePermute.DEF,
          SdyReplicatedToUnreduced.DEF,
          SdyShardedToUnreduced.DEF,
          SdyShardingGroup.DEF,
          CheckExpectEq.DEF,
          CheckExpectEqConst.DEF,
          CheckExpectAlmostEq.DEF,
          CheckExpectAlmostEqConst.DEF,
          CheckExpectClose.DEF,
          CheckExpectSerializedEq.DEF,
          InterpreterRunParallel.DEF,
          InterpreterProbe.DEF,
          InterpreterPrint.DEF);

  private ControlOps() {}
}
