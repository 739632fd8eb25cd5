package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.proto.xla.CompileOptionsProto;
import dev.lockstep.hlo.proto.xla.DeviceAssignmentProto;
import dev.lockstep.hlo.proto.xla.ExecutableBuildOptionsProto;
import dev.lockstep.hlo.proto.xla.OptionOverrideProto;

/**
 * How a program is compiled.
 *
 * @param replicas number of replicas
 * @param partitions number of partitions; more than one switches the partitioner on
 * @param shardy whether the program says with {@code sdy} how it is partitioned
 * @param overrides XLA's debug options by name, over what the environment says
 * @param devices ids of the devices, replica by replica and partition by partition; empty for the
 *     plugin's choice, which is the first ones
 * @param isPortable whether one device runs the program, which each launch names
 */
public record CompileOptions(
    int replicas,
    int partitions,
    boolean shardy,
    ImmutableMap<String, String> overrides,
    ImmutableIntArray devices,
    boolean isPortable) {
  /**
   * What makes XLA compute what the specification says rather than what is fast: NaNs win in minima
   * and maxima, and no type is silently a wider one.
   */
  public static final ImmutableMap<String, String> FAITHFUL =
      ImmutableMap.of(
          "xla_cpu_enable_fast_min_max", "false", "xla_allow_excess_precision", "false");

  /** Checks the counts, on which XLA would end the process. */
  public CompileOptions {
    if (replicas < 1 || partitions < 1) {
      throw new IllegalArgumentException(replicas + " replicas, " + partitions + " partitions");
    }
    int size = Math.multiplyExact(replicas, partitions);
    if (!devices.isEmpty() && devices.length() != size) {
      throw new IllegalArgumentException(devices.length() + " devices for " + size + " places");
    }
    if (isPortable && (size != 1 || !devices.isEmpty())) {
      throw new IllegalArgumentException("a portable program runs on one device, not on " + size);
    }
  }

  /** Returns options for a grid, with {@link #FAITHFUL} arithmetic. */
  public static CompileOptions grid(int replicas, int partitions) {
    return new CompileOptions(replicas, partitions, false, FAITHFUL, ImmutableIntArray.of(), false);
  }

  /** Returns these options for a program that {@code sdy} partitions, or not. */
  public CompileOptions withShardy(boolean isShardy) {
    return new CompileOptions(replicas, partitions, isShardy, overrides, devices, isPortable);
  }

  /** Returns these options with other overrides. */
  public CompileOptions withOverrides(ImmutableMap<String, String> others) {
    return new CompileOptions(replicas, partitions, shardy, others, devices, isPortable);
  }

  /** Returns these options on devices with {@code ids}. */
  public CompileOptions onDevices(ImmutableIntArray ids) {
    return new CompileOptions(replicas, partitions, shardy, overrides, ids, isPortable);
  }

  /** Returns options for a program that runs on whatever device a launch names. */
  public static CompileOptions portable() {
    return new CompileOptions(1, 1, false, FAITHFUL, ImmutableIntArray.of(), true);
  }

  /** Returns these options as the platform of {@code client} takes them. */
  CompileOptions fitTo(PjrtClient client) {
    return fitTo(client.platformName());
  }

  /** Returns these options as plugins of {@code platform} take them. */
  CompileOptions fitTo(String platform) {
    // Debug options of the CPU are unknown to the compilers of other platforms.
    return platform.equals("cpu") ? this : withOverrides(ImmutableMap.of());
  }

  /** Returns these options as XLA's CompileOptionsProto. */
  public byte[] toByteArray() {
    CompileOptionsProto.Builder out = CompileOptionsProto.newBuilder();
    ExecutableBuildOptionsProto.Builder build = out.getExecutableBuildOptionsBuilder();
    build
        .setDeviceOrdinal(-1)
        .setNumReplicas(replicas)
        .setNumPartitions(partitions)
        .setUseSpmdPartitioning(partitions > 1)
        .setUseShardyPartitioner(shardy);
    out.setCompilePortableExecutable(isPortable);
    if (!devices.isEmpty()) {
      build.setDeviceAssignment(assignment());
    }
    overrides.forEach(
        (name, value) -> {
          OptionOverrideProto.Builder override = OptionOverrideProto.newBuilder();
          if (value.matches("true|false")) {
            override.setBoolField(value.equals("true"));
          } else if (value.matches("-?\\d{1,18}")) {
            override.setIntField(Long.parseLong(value));
          } else {
            override.setStringField(value);
          }
          out.putEnvOptionOverrides(name, override.build());
        });
    return out.build().toByteArray();
  }

  private DeviceAssignmentProto assignment() {
    DeviceAssignmentProto.Builder out =
        DeviceAssignmentProto.newBuilder()
            .setReplicaCount(replicas)
            .setComputationCount(partitions);
    for (int p = 0; p < partitions; p++) {
      DeviceAssignmentProto.ComputationDevice.Builder of = out.addComputationDevicesBuilder();
      for (int r = 0; r < replicas; r++) {
        of.addReplicaDeviceIds(devices.get(r * partitions + p));
      }
    }
    return out.build();
  }
}
