package dev.lockstep.hlo.build;

import dev.lockstep.hlo.grid.ReplicaGroups;
import java.util.OptionalLong;

/**
 * Who meets in a collective: what its attributes {@code replica_groups}, {@code channel_handle} or
 * {@code channel_id}, and {@code use_global_device_ids} say together.
 *
 * @param groups the groups; what their ids mean depends on the other two, see {@code GroupMode}
 * @param channel the channel id, if there is one
 * @param globalIds whether ids are {@code replica * partitions + partition}; needs a channel
 */
public record CollectiveGroups(ReplicaGroups groups, OptionalLong channel, boolean globalIds) {

  /** Returns groups of replicas, each of which meets in every partition. */
  public static CollectiveGroups ofReplicas(ReplicaGroups groups) {
    return new CollectiveGroups(groups, OptionalLong.empty(), false);
  }

  /** Returns groups on a channel; their ids are partitions or replicas as the op has it. */
  public static CollectiveGroups onChannel(ReplicaGroups groups, long channel) {
    return new CollectiveGroups(groups, OptionalLong.of(channel), false);
  }

  /** Returns groups of global ids on a channel. */
  public static CollectiveGroups ofGlobalIds(ReplicaGroups groups, long channel) {
    return new CollectiveGroups(groups, OptionalLong.of(channel), true);
  }
}
