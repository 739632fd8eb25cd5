package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.testing.Checkout;
import dev.lockstep.tools.CommandLineRunner;
import dev.lockstep.tools.Console;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code run --compile-only}, for devices of a plugin and for those that are not there. */
final class CompileOnlyTest {
  private static final String PROGRAM =
      """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.negate %x : tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      """;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private int run(String... arguments) {
    Console console =
        new Console(
            new ByteArrayInputStream(PROGRAM.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false);
    return CommandLineRunner.run(List.of(arguments), console);
  }

  static Stream<Path> plugins() {
    if (PluginCache.cpuPlugins().isEmpty()) {
      Checkout.leaveOut("no PJRT plugin: run `lockstep pjrt install cpu`");
    }
    return PluginCache.cpuPlugins().stream();
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void devicesOfThePlugin_giveOptimisedHloAndWhatItNeeds(Path plugin) {
    assertThat(run("run", "-", "--backend", "pjrt", "--plugin", plugin + "", "--compile-only"))
        .as(err.toString(StandardCharsets.UTF_8))
        .isZero();
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("HloModule")
        .contains("is_scheduled=true");
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("memory: argument_size_in_bytes 16");
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void pluginWithoutTopologies_saysSo(Path plugin) {
    assertThat(
            run(
                "run",
                "-",
                "--backend=pjrt",
                "--plugin=" + plugin,
                "--topology=v5e:2x4",
                "--compile-only"))
        .isEqualTo(69);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains("cannot compile ahead of time");
  }

  @Test
  void flags_goTogether() {
    assertThat(run("run", "-", "--backend=pjrt", "--topology=v5e:2x4")).isEqualTo(64);
    assertThat(run("run", "-", "--compile-only")).isEqualTo(64);
    assertThat(run("run", "-", "--backend=pjrt", "--compile-only", "--random=1")).isEqualTo(64);
  }
}
