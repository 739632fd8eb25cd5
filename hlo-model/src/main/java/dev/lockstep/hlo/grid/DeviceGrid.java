package dev.lockstep.hlo.grid;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * The devices of a job: {@code replicas * partitions}, numbered replica-major.
 *
 * @param replicas number of replicas, at least 1
 * @param partitions number of partitions, at least 1
 */
public record DeviceGrid(int replicas, int partitions) {
  /** Checks that both counts are positive. */
  public DeviceGrid {
    checkArgument(replicas >= 1 && partitions >= 1, "counts must be positive");
    Math.multiplyExact(replicas, partitions);
  }

  /** Returns the number of devices. */
  public int size() {
    return replicas * partitions;
  }

  /** Returns the device, also called rank and flattened id, of a replica and a partition. */
  public int device(int replica, int partition) {
    return replica * partitions + partition;
  }

  /** Returns the replica of a device. */
  public int replica(int device) {
    return device / partitions;
  }

  /** Returns the partition of a device. */
  public int partition(int device) {
    return device % partitions;
  }
}
