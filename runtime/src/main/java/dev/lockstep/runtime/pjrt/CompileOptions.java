package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.proto.xla.CompileOptionsProto;
import dev.lockstep.hlo.proto.xla.ExecutableBuildOptionsProto;
import dev.lockstep.hlo.proto.xla.OptionOverrideProto;

/**
 * How a program is compiled.
 *
 * @param replicas number of replicas
 * @param partitions number of partitions; more than one switches the partitioner on
 * @param shardy whether the program says with {@code sdy} how it is partitioned
 * @param overrides XLA's debug options by name, over what the environment says
 */
public record CompileOptions(
    int replicas, int partitions, boolean shardy, ImmutableMap<String, String> overrides) {
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
  }

  /** Returns options for a grid, with {@link #FAITHFUL} arithmetic. */
  public static CompileOptions grid(int replicas, int partitions) {
    return new CompileOptions(replicas, partitions, false, FAITHFUL);
  }

  /** Returns these options for a program that {@code sdy} partitions, or not. */
  public CompileOptions withShardy(boolean isShardy) {
    return new CompileOptions(replicas, partitions, isShardy, overrides);
  }

  /** Returns these options with other overrides. */
  public CompileOptions withOverrides(ImmutableMap<String, String> others) {
    return new CompileOptions(replicas, partitions, shardy, others);
  }

  byte[] toByteArray() {
    CompileOptionsProto.Builder out = CompileOptionsProto.newBuilder();
    ExecutableBuildOptionsProto.Builder build = out.getExecutableBuildOptionsBuilder();
    build
        .setDeviceOrdinal(-1)
        .setNumReplicas(replicas)
        .setNumPartitions(partitions)
        .setUseSpmdPartitioning(partitions > 1)
        .setUseShardyPartitioner(shardy);
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
}
