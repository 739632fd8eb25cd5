package dev.lockstep.tools.verb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.runtime.pjrt.PluginCache;
import dev.lockstep.testing.Checkout;
import dev.lockstep.tools.CommandRun;
import java.nio.file.Path;
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

  private final CommandRun command = new CommandRun();

  private int run(String... arguments) {
    return command.runWith(PROGRAM, arguments);
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
        .as(command.err())
        .isZero();
    assertThat(command.out()).startsWith("HloModule").contains("is_scheduled=true");
    assertThat(command.err()).contains("memory: argument_size_in_bytes 16");
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
    assertThat(command.err()).contains("cannot compile ahead of time");
  }

  @Test
  void flags_goTogether() {
    assertThat(run("run", "-", "--backend=pjrt", "--topology=v5e:2x4")).isEqualTo(64);
    assertThat(run("run", "-", "--compile-only")).isEqualTo(64);
    assertThat(run("run", "-", "--backend=pjrt", "--compile-only", "--random=1")).isEqualTo(64);
  }
}
