package dev.lockstep.hlo.op.collective;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.op.OpDef;

/** The list of the ops of this package, in documentation order. */
public final class CollectiveOps {
  /** All of them. */
  public static final ImmutableList<OpDef> ALL =
      ImmutableList.of(
          AllReduce.DEF,
          CrossReplicaSum.DEF,
          AllGather.DEF,
          ReduceScatter.DEF,
          AllToAll.DEF,
          RaggedAllToAll.DEF,
          CollectivePermute.DEF,
          CollectiveBroadcast.DEF,
          CollectiveReduce.DEF,
          PartitionId.DEF,
          ReplicaId.DEF,
          AllReduceStart.DEF,
          AllReduceDone.DEF,
          AllGatherStart.DEF,
          AllGatherDone.DEF,
          CollectivePermuteStart.DEF,
          CollectivePermuteDone.DEF,
          AsyncStart.DEF,
          AsyncUpdate.DEF,
          AsyncDone.DEF,
          Send.DEF,
          SendDone.DEF,
          Recv.DEF,
          RecvDone.DEF,
          Infeed.DEF,
          Outfeed.DEF);

  private CollectiveOps() {}
}
