package dev.lockstep.hlo.grid;

/**
 * The order of the members of a {@link GroupMode#CROSS_REPLICA_AND_PARTITION} group, in which XLA
 * and StableHLO disagree. It decides which shard is whose, so the syntax of a module chooses it.
 */
public enum MemberOrder {
  /** XLA: partitions vary fastest. */
  REPLICA_MAJOR,
  /** StableHLO specification and interpreter: replicas vary fastest. */
  PARTITION_MAJOR
}
