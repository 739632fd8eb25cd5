package dev.lockstep.hlo.grid;

/**
 * What the ids in groups mean.
 *
 * <p>Sources: StableHLO specification "Grouping of processes"; XLA {@code GetCollectiveOpGroupMode}
 * in {@code xla/service/collective_ops_utils.cc}.
 */
public enum GroupMode {
  /** Ids are replicas; a group meets once in every partition. */
  CROSS_REPLICA,
  /** Ids are partitions; a group meets once in every replica. */
  CROSS_PARTITION,
  /** Ids are replicas; all partitions of the group's replicas meet. */
  CROSS_REPLICA_AND_PARTITION,
  /** Ids are {@code replica * partitions + partition}. */
  FLATTENED_ID;

  /**
   * Returns the mode of all-gather, all-reduce, reduce-scatter and collective-reduce.
   *
   * @param hasChannel whether a channel id is given (StableHLO: a handle above zero)
   * @param useGlobalDeviceIds the flag; without a channel it is invalid, which the verifier says
   */
  public static GroupMode ofThreeModeOp(boolean hasChannel, boolean useGlobalDeviceIds) {
    if (!hasChannel) {
      return CROSS_REPLICA;
    }
    return useGlobalDeviceIds ? FLATTENED_ID : CROSS_REPLICA_AND_PARTITION;
  }

  /** Returns the mode of all-to-all, collective-permute, collective-broadcast and ragged forms. */
  public static GroupMode ofTwoModeOp(boolean hasChannel) {
    return hasChannel ? CROSS_PARTITION : CROSS_REPLICA;
  }
}
