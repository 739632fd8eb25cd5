package dev.lockstep.tools.verb;

import dev.lockstep.tools.UsageException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Compiling without running. */
final class AheadOptions {
  @Option(
      names = "--compile-only",
      description =
          "Compile on the plugin, write the optimised HLO and say what it needs; run nothing.")
  private boolean compileOnly;

  @Option(
      names = "--topology",
      paramLabel = "NAME",
      description =
          "With --compile-only, compile for devices that need not be there, such as v5e:2x4.")
  private @Nullable String topology;

  /** Returns whether nothing is run. */
  boolean compileOnly() {
    return compileOnly;
  }

  /** Returns the topology, or null for the plugin's devices. */
  @Nullable String topology() {
    return topology;
  }

  /**
   * Checks what goes together.
   *
   * @param runs whether another flag asks for a run, or for values
   */
  void check(String backend, boolean runs) {
    if (topology != null && !compileOnly) {
      throw new UsageException(
          "--topology names devices that are not here; add --compile-only to compile for them");
    }
    if (compileOnly && !backend.equals("pjrt")) {
      throw new UsageException("--compile-only compiles on a plugin; add --backend pjrt");
    }
    if (compileOnly && runs) {
      throw new UsageException(
          "--compile-only runs nothing; leave out --input, --random, --check, --compare, --repeat");
    }
  }
}
