package dev.lockstep.runtime.pjrt;

import static dev.lockstep.runtime.pjrt.Launchable.REDUCE;
import static dev.lockstep.runtime.pjrt.Launchable.floats;
import static dev.lockstep.runtime.pjrt.Launchable.open;
import static dev.lockstep.runtime.pjrt.Launchable.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What callers should not do: it ends in an error, and everything works on afterwards. */
final class MisuseTest {
  static Stream<Path> plugins() {
    return PjrtTest.plugins();
  }

  private static final Literal FOUR = floats(1, 2, 3, 4);

  private static void checkWorks(PjrtClient client, PjrtExecutable reduce) {
    List<List<PjrtBuffer>> arguments = new ArrayList<>();
    client.devices().forEach(device -> arguments.add(List.of(client.toDevice(FOUR, device))));
    assertThat(reduce.execute(arguments).get(1).get(0).toLiteral()).isEqualTo(floats(2, 4, 6, 8));
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void argumentsOfOtherTypes_areRefusedBeforeADeviceWaits(Path file) {
    List<Literal> wrong =
        List.of(
            floats(1, 2),
            floats(),
            Literal.of(TensorType.of(ElementType.F32, 2, 2), new float[4]),
            Literal.of(TensorType.of(ElementType.I32, 4), new int[4]),
            Literal.of(TensorType.of(ElementType.F64, 4), new double[4]),
            Literal.scalar(ElementType.F32, 1));
    try (PjrtClient client = open(file, 2);
        PjrtExecutable reduce = client.compile(program(REDUCE), CompileOptions.grid(2, 1))) {
      PjrtDevice first = client.devices().get(0);
      PjrtDevice second = client.devices().get(1);
      for (Literal value : wrong) {
        PjrtBuffer good = client.toDevice(FOUR, first);
        PjrtBuffer bad = client.toDevice(value, second);
        assertThatThrownBy(() -> reduce.execute(List.of(List.of(good), List.of(bad))))
            .isInstanceOf(PjrtException.class)
            .hasMessageContaining("argument 0");
        PjrtBuffer alsoBad = client.toDevice(value, first);
        assertThatThrownBy(() -> reduce.execute(List.of(List.of(alsoBad), List.of(bad))))
            .isInstanceOf(PjrtException.class)
            .hasMessageContaining("argument 0");
        checkWorks(client, reduce);
      }
      PjrtBuffer here = client.toDevice(FOUR, first);
      assertThatThrownBy(() -> reduce.execute(List.of(List.of(here), List.of(here))))
          .isInstanceOf(PjrtException.class)
          .hasMessageContaining("lives on");
      PjrtBuffer there = client.toDevice(FOUR, second);
      assertThatThrownBy(() -> reduce.execute(List.of(List.of(here, here), List.of(there, there))))
          .isInstanceOf(PjrtException.class)
          .hasMessageContaining("2 arguments, the program takes 1");
      checkWorks(client, reduce);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void programsThatAreNone_areErrors(Path file) {
    Random random = new Random(7);
    byte[] noise = new byte[100_000];
    random.nextBytes(noise);
    byte[] good = program(REDUCE).code();
    byte[] half =
        new String(good, StandardCharsets.UTF_8)
            .substring(0, good.length / 2)
            .getBytes(StandardCharsets.UTF_8);
    byte[] bytecode = "ML\u00efR".getBytes(StandardCharsets.ISO_8859_1);
    try (PjrtClient client = open(file, 2);
        PjrtExecutable reduce = client.compile(program(REDUCE), CompileOptions.grid(2, 1))) {
      for (byte[] code : List.of(noise, half, bytecode, new byte[0], new byte[] {0})) {
        assertThatThrownBy(
                () ->
                    client.compile(new PjrtProgram("mlir", code, false), CompileOptions.grid(1, 1)))
            .isInstanceOf(PjrtException.class);
      }
      for (byte[] code : List.of(noise, half, bytecode)) {
        assertThatThrownBy(
                () ->
                    client.compile(new PjrtProgram("hlo", code, false), CompileOptions.grid(1, 1)))
            .isInstanceOf(PjrtException.class);
      }
      assertThatThrownBy(
              () -> client.compile(new PjrtProgram("onnx", good, false), CompileOptions.grid(1, 1)))
          .isInstanceOf(PjrtException.class);
      checkWorks(client, reduce);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void interruptedThreads_finishWhatTheyBegan(Path file) {
    try (PjrtClient client = open(file, 2);
        PjrtExecutable reduce = client.compile(program(REDUCE), CompileOptions.grid(2, 1))) {
      Thread.currentThread().interrupt();
      checkWorks(client, reduce);
      List<List<PjrtBuffer>> arguments = new ArrayList<>();
      client.devices().forEach(device -> arguments.add(List.of(client.toDevice(FOUR, device))));
      ImmutableList<ImmutableList<PjrtBuffer>> results =
          reduce.execute(arguments, ImmutableLongArray.of());
      arguments.forEach(device -> assertThat(device.get(0).isClosed()).isTrue());
      results.forEach(device -> device.forEach(PjrtBuffer::close));
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void manyClients_openAndCloseInOneProcess(Path file) {
    List<PjrtClient> together = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      PjrtClient client = open(file, 2);
      together.add(client);
      client.toDevice(FOUR, client.devices().get(0));
    }
    together.forEach(PjrtClient::close);
    for (int i = 0; i < 16; i++) {
      try (PjrtClient client = open(file, 2);
          PjrtExecutable reduce = client.compile(program(REDUCE), CompileOptions.grid(2, 1))) {
        checkWorks(client, reduce);
        assertThatThrownBy(() -> together.get(0).toDevice(FOUR, client.devices().get(0)))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessageContaining("another client");
      }
    }
    assertThat(PjrtPlugin.load(file)).isEqualTo(PjrtPlugin.load(file));
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void buffersOfAClosedClient_areNotReadByThreadsThatStillHaveThem(Path file) throws Exception {
    for (int round = 0; round < 20; round++) {
      PjrtClient client = open(file, 2);
      PjrtBuffer buffer = client.toDevice(FOUR, client.devices().get(0));
      List<Thread> threads = new ArrayList<>();
      List<Throwable> ends = java.util.Collections.synchronizedList(new ArrayList<>());
      for (int t = 0; t < 4; t++) {
        Runnable end = t % 2 == 0 ? client::close : buffer::close;
        Thread thread =
            new Thread(
                () -> {
                  try {
                    end.run();
                    buffer.type();
                  } catch (RuntimeException e) {
                    ends.add(e);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join(Duration.ofSeconds(60).toMillis());
        assertThat(thread.isAlive()).isFalse();
      }
      assertThat(ends).hasSize(4).allMatch(e -> e instanceof IllegalStateException);
    }
  }
}
