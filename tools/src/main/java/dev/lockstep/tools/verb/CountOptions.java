package dev.lockstep.tools.verb;

import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.UsageException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The numbers of replicas and partitions, for programs that do not say. */
final class CountOptions {
  /** More than any job has, and few enough to have an object each. */
  static final int MAX_DEVICES = 1 << 20;

  @Option(
      names = "--replicas",
      paramLabel = "R",
      description = "Number of replicas where the program does not say.")
  private @Nullable Integer replicas;

  @Option(
      names = "--partitions",
      paramLabel = "P",
      description = "Number of partitions where the program does not say.")
  private @Nullable Integer partitions;

  /** Refuses numbers that no job has, whether or not something asks for them. */
  void check(Session session) {
    long devices = (long) replicas().orElse(1) * partitions().orElse(1);
    if (devices > MAX_DEVICES) {
      throw new UsageException(
          "--replicas and --partitions make "
              + devices
              + " devices, must be at most "
              + MAX_DEVICES);
    }
    session.expectCounts(replicas(), partitions());
  }

  /** Refuses --replicas that is not what a set of programs makes. */
  void checkReplicas(int found) {
    if (replicas().isPresent() && replicas().getAsInt() != found) {
      throw new UsageException(
          "--replicas is "
              + replicas().getAsInt()
              + ", but the programs are of "
              + found
              + (found == 1 ? " replica" : " replicas"));
    }
  }

  /** Returns the devices of both counts, of which a text may say one and a flag the other. */
  static DeviceGrid grid(int replicas, int partitions) {
    if ((long) replicas * partitions > MAX_DEVICES) {
      throw new UsageException(
          String.format(
              "%d replicas of %d partitions are more than %d devices",
              replicas, partitions, MAX_DEVICES));
    }
    return new DeviceGrid(replicas, partitions);
  }

  OptionalInt replicas() {
    return positive("--replicas", replicas);
  }

  OptionalInt partitions() {
    return positive("--partitions", partitions);
  }

  private static OptionalInt positive(String flag, @Nullable Integer value) {
    if (value == null) {
      return OptionalInt.empty();
    }
    if (value < 1) {
      throw new UsageException(flag + " is " + value + ", must be at least 1");
    }
    return OptionalInt.of(value);
  }
}
