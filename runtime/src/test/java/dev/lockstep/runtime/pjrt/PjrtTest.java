package dev.lockstep.runtime.pjrt;

import static dev.lockstep.runtime.pjrt.Launchable.floats;
import static dev.lockstep.runtime.pjrt.Launchable.open;
import static dev.lockstep.runtime.pjrt.Launchable.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.abort;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.testing.Checkout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java API over installed CPU plugins: values, ownership, errors. */
final class PjrtTest {
  private static final String NEGATE =
      """
      func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
        %0 = stablehlo.negate %x : tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      """;

  static Stream<Path> plugins() {
    PjrtPlugin.whyUnavailable().ifPresent(why -> abort("left out: " + why));
    if (PluginCache.cpuPlugins().isEmpty()) {
      Checkout.leaveOut("no PJRT plugin: run `lockstep pjrt install cpu`");
    }
    return PluginCache.cpuPlugins().stream();
  }

  private static PjrtClient open(Path plugin) {
    return PjrtRunner.open(PjrtPlugin.load(plugin), 2, Map.of());
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void plugin_saysWhatItIs(Path file) {
    PjrtPlugin plugin = PjrtPlugin.load(file);
    assertThat(PjrtPlugin.load(file)).isSameAs(plugin);
    assertThat(plugin.major()).isZero();
    assertThat(plugin.minor()).isGreaterThanOrEqualTo(69);
    assertThat(plugin.attributes()).containsKey("stablehlo_current_version");
    try (PjrtClient client = open(file)) {
      assertThat(client.platformName()).isEqualTo("cpu");
      assertThat(client.devices()).hasSize(2);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void values_ofAllTypesComeBackBitForBit(Path file) {
    try (PjrtClient client = open(file)) {
      PjrtDevice device = client.devices().get(1);
      for (ElementType type : ElementType.values()) {
        for (TensorType shape :
            List.of(TensorType.of(type), TensorType.of(type, 0, 3), TensorType.of(type, 2, 3))) {
          LiteralBuilder builder = new LiteralBuilder(shape);
          for (int i = 0; i < shape.count(); i++) {
            builder.setDouble(i, type.isBool() ? i % 2 : 1 << i % 2);
          }
          Literal value = builder.build();
          PjrtBuffer buffer;
          try {
            buffer = client.toDevice(value, device);
          } catch (PjrtException e) {
            // Types that came later than the plugin.
            assertThat(type.bits()).as(type + ": " + e.getMessage()).isLessThan(8);
            continue;
          }
          assertThat(buffer.type()).isEqualTo(shape);
          assertThat(buffer.toLiteral()).as(shape.toString()).isEqualTo(value);
          buffer.close();
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void programs_runAndShowWhatBecameOfThem(Path file) {
    try (PjrtClient client = open(file);
        PjrtExecutable executable = client.compile(program(NEGATE), CompileOptions.grid(2, 1))) {
      assertThat(executable.outputTypes()).containsExactly(TensorType.of(ElementType.F32, 4));
      assertThat(executable.program().memory()).containsEntry("argument_size_in_bytes", 16L);
      assertThat(Texts.print(executable.program().optimized())).contains("negate");
      List<List<PjrtBuffer>> arguments = new ArrayList<>();
      for (PjrtDevice device : executable.devices()) {
        arguments.add(List.of(client.toDevice(floats(device.id(), 1, 2, 3), device)));
      }
      List<ImmutableList<PjrtBuffer>> results = executable.execute(arguments);
      assertThat(results.get(1).get(0).toLiteral()).isEqualTo(floats(-1, -1, -2, -3));
      assertThat(arguments.get(0).get(0).isDeleted()).isFalse();
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void errors_haveACodeAndTheWordsOfThePlugin(Path file) {
    try (PjrtClient client = open(file)) {
      PjrtProgram bad =
          new PjrtProgram("mlir", "func.func @main( {".getBytes(StandardCharsets.UTF_8), false);
      assertThatThrownBy(() -> client.compile(bad, CompileOptions.grid(1, 1)))
          .isInstanceOf(PjrtException.class)
          .hasMessageContaining("error");
      PjrtException tooMany =
          catchThrowableOfType(
              PjrtException.class,
              () -> PjrtRunner.open(client.plugin(), 3, Map.of("cpu_device_count", "2")));
      assertThat(tooMany.code()).isEqualTo(PjrtCode.INVALID_ARGUMENT);
      try (PjrtExecutable executable = client.compile(program(NEGATE), CompileOptions.grid(1, 1))) {
        PjrtBuffer wrong = client.toDevice(floats(1, 2), executable.devices().get(0));
        assertThatThrownBy(() -> executable.execute(List.of(List.of(wrong))))
            .isInstanceOf(PjrtException.class);
        assertThatThrownBy(() -> executable.execute(List.of()))
            .isInstanceOf(PjrtException.class)
            .hasMessageContaining("0 devices");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void closing_goesFromTheLeavesToTheRootAndIsNoticed(Path file) {
    PjrtClient client = open(file);
    PjrtExecutable executable = client.compile(program(NEGATE), CompileOptions.grid(1, 1));
    PjrtDevice device = executable.devices().get(0);
    PjrtBuffer buffer = client.toDevice(floats(1, 2, 3, 4), device);
    client.close();
    client.close();
    assertThat(executable.isClosed()).isTrue();
    assertThat(buffer.isClosed()).isTrue();
    assertThatThrownBy(buffer::toLiteral)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
    assertThatThrownBy(() -> executable.execute(List.of(List.of(buffer))))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> client.toDevice(floats(1), device))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void closing_whileOthersLaunch_waitsForThem(Path file) throws InterruptedException {
    PjrtClient client = open(file);
    PjrtExecutable executable = client.compile(program(NEGATE), CompileOptions.grid(1, 1));
    PjrtBuffer buffer = client.toDevice(floats(1, 2, 3, 4), executable.devices().get(0));
    AtomicReference<Throwable> end = new AtomicReference<>();
    Thread launching =
        new Thread(
            () -> {
              try {
                while (true) {
                  executable
                      .execute(List.of(List.of(buffer)))
                      .forEach(device -> device.forEach(PjrtBuffer::close));
                }
              } catch (RuntimeException e) {
                end.set(e);
              }
            });
    launching.start();
    Thread.sleep(50);
    client.close();
    launching.join();
    assertThat(end.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
  }

  @Test
  void counts_areAtLeastOne() {
    assertThatThrownBy(() -> CompileOptions.grid(0, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
