package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where installed plugins lie: {@code $LOCKSTEP_CACHE}, else {@code lockstep} in {@code
 * $XDG_CACHE_HOME} or {@code ~/.cache}. {@code $LOCKSTEP_PJRT_CPU} names plugins for CPUs that lie
 * elsewhere, with colons between them.
 */
public final class PluginCache {
  private static final String CPU = "LOCKSTEP_PJRT_CPU";

  private PluginCache() {}

  /** Returns the folder of plugins; it may not exist. */
  public static Path folder() {
    return cache().resolve("plugins");
  }

  private static Path cache() {
    String own = System.getenv("LOCKSTEP_CACHE");
    if (own != null && !own.isEmpty()) {
      return Path.of(own);
    }
    String shared = System.getenv("XDG_CACHE_HOME");
    Path base =
        shared != null && !shared.isEmpty()
            ? Path.of(shared)
            : Path.of(System.getProperty("user.home"), ".cache");
    return base.resolve("lockstep");
  }

  /** Returns the plugins for CPUs that are on this machine, the preferred one first. */
  public static ImmutableList<Path> cpuPlugins() {
    String named = System.getenv(CPU);
    if (named != null && !named.isEmpty()) {
      return Stream.of(named.split(":", -1))
          .filter(word -> !word.isEmpty())
          .map(Path::of)
          .collect(ImmutableList.toImmutableList());
    }
    if (!Files.isDirectory(folder())) {
      return ImmutableList.of();
    }
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .filter(file -> file.getFileName().toString().matches("cpu-.*\\.so"))
          .sorted()
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
