package dev.lockstep.tools.verb;

import dev.lockstep.tools.UsageException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The numbers of replicas and partitions, for programs that do not say. */
final class CountOptions {
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
