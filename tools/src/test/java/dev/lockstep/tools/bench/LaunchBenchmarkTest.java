package dev.lockstep.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.common.collect.ImmutableList;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.testing.Checkout;
import dev.lockstep.testing.CppCompiler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Launches through Java compute what the bare C API computes, and leave nothing behind. {@code
 * -Dlaunch.count=N} launches N times (the profile {@code long} 20,000 times).
 */
final class LaunchBenchmarkTest {
  /**
   * What the heap of Java may come to touch meanwhile. One result of 4 KiB a launch that were left
   * behind would take more in 20,000 launches.
   */
  private static final long GROWTH = 64_000_000;

  static Stream<Path> plugins() {
    CppCompiler.require();
    PjrtPlugin.whyUnavailable().ifPresent(why -> abort("left out: " + why));
    ImmutableList<Path> plugins = PluginCache.cpuPlugins();
    if (plugins.isEmpty()) {
      Checkout.leaveOut("no PJRT plugin: run `lockstep pjrt install cpu`");
    }
    return plugins.stream();
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void launches_giveWhatTheBareApiGives_andLeaveNothing(Path plugin) throws IOException {
    LaunchBenchmark.Outcome outcome =
        LaunchBenchmark.run(PjrtPlugin.load(plugin), Integer.getInteger("launch.count", 200), 4);
    assertThat(outcome.java().first()).isEqualTo(36).isEqualTo(outcome.twin().first());
    assertThat(outcome.residentAfter() - outcome.residentBefore())
        .as(outcome.toString())
        .isLessThan(GROWTH);
  }
}
