package dev.lockstep.runtime.pjrt;

import static dev.lockstep.runtime.pjrt.Launchable.REDUCE;
import static dev.lockstep.runtime.pjrt.Launchable.floats;
import static dev.lockstep.runtime.pjrt.Launchable.open;
import static dev.lockstep.runtime.pjrt.Launchable.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Launches: what they take over, where they run, and what closing does to them. */
final class LaunchTest {
  private static final String ADD =
      """
      func.func @main(%x: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %y: tensor<4xf32>)
          -> tensor<4xf32> {
        %0 = stablehlo.add %x, %y : tensor<4xf32>
        return %0 : tensor<4xf32>
      }
      """;

  static Stream<Path> plugins() {
    return PjrtTest.plugins();
  }

  private static final ImmutableLongArray KEEP_SECOND = ImmutableLongArray.of(1);

  @ParameterizedTest
  @MethodSource("plugins")
  void donatedArguments_areGone(Path file) {
    try (PjrtClient client = open(file, 1);
        PjrtExecutable add = client.compile(program(ADD), CompileOptions.grid(1, 1))) {
      PjrtDevice device = client.devices().get(0);
      PjrtBuffer x = client.toDevice(floats(1, 2, 3, 4), device);
      PjrtBuffer y = client.toDevice(floats(1, 1, 1, 1), device);
      PjrtBuffer kept = add.execute(List.of(List.of(x, y))).get(0).get(0);
      assertThat(x.toLiteral()).isEqualTo(floats(1, 2, 3, 4));
      PjrtBuffer sum = add.execute(List.of(List.of(x, y)), KEEP_SECOND).get(0).get(0);
      assertThat(sum.toLiteral()).isEqualTo(floats(2, 3, 4, 5)).isEqualTo(kept.toLiteral());
      assertThat(x.isClosed()).isTrue();
      assertThatThrownBy(x::toLiteral)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("this buffer was donated to a launch");
      assertThatThrownBy(() -> add.execute(List.of(List.of(x, y))))
          .isInstanceOf(IllegalStateException.class);
      assertThat(y.toLiteral()).isEqualTo(floats(1, 1, 1, 1));
      x.close();
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void donatedArguments_ofALaunchThatIsRefused_stay(Path file) {
    try (PjrtClient client = open(file, 1);
        PjrtExecutable add = client.compile(program(ADD), CompileOptions.grid(1, 1))) {
      PjrtDevice device = client.devices().get(0);
      PjrtBuffer x = client.toDevice(floats(1, 2, 3, 4), device);
      PjrtBuffer wrong = client.toDevice(floats(1, 1), device);
      assertThatThrownBy(() -> add.execute(List.of(List.of(x, wrong)), KEEP_SECOND))
          .isInstanceOf(PjrtException.class);
      PjrtException twice =
          catchThrowableOfType(
              PjrtException.class, () -> add.execute(List.of(List.of(x, x)), KEEP_SECOND));
      assertThat(twice.code()).isEqualTo(PjrtCode.INVALID_ARGUMENT);
      assertThat(x.toLiteral()).isEqualTo(floats(1, 2, 3, 4));
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void programs_runOnTheDevicesThatTheyAreFor(Path file) {
    try (PjrtClient client = open(file, 4);
        PjrtExecutable reduce =
            client.compile(
                program(REDUCE), CompileOptions.grid(2, 1).onDevices(ImmutableIntArray.of(3, 1)))) {
      PjrtDevice third = client.devices().get(3);
      PjrtDevice first = client.devices().get(1);
      assertThat(reduce.devices()).containsExactly(third, first);
      PjrtBuffer x = client.toDevice(floats(1, 2, 3, 4), third);
      PjrtBuffer y = client.toDevice(floats(5, 5, 5, 5), first);
      assertThat(reduce.execute(List.of(List.of(x), List.of(y))).get(1).get(0).toLiteral())
          .isEqualTo(floats(6, 7, 8, 9));
      PjrtException misplaced =
          catchThrowableOfType(
              PjrtException.class, () -> reduce.execute(List.of(List.of(y), List.of(x))));
      assertThat(misplaced.code()).isEqualTo(PjrtCode.INVALID_ARGUMENT);
      assertThat(misplaced).hasMessageContaining("lives on");
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void devicesThatAreNotThere_areRefused(Path file) {
    try (PjrtClient client = open(file, 2)) {
      PjrtProgram reduce = program(REDUCE);
      PjrtException missing =
          catchThrowableOfType(
              PjrtException.class,
              () ->
                  client.compile(
                      reduce, CompileOptions.grid(2, 1).onDevices(ImmutableIntArray.of(0, 7))));
      assertThat(missing.code()).isEqualTo(PjrtCode.NOT_FOUND);
      assertThat(missing).hasMessageContaining("no device with the id 7");
      PjrtException many =
          catchThrowableOfType(
              PjrtException.class, () -> client.compile(reduce, CompileOptions.grid(3, 1)));
      assertThat(many.code()).isEqualTo(PjrtCode.INVALID_ARGUMENT);
      assertThatThrownBy(() -> CompileOptions.grid(2, 1).onDevices(ImmutableIntArray.of(0)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void closing_whileManyLaunchAndRead_isSafe(Path file) throws InterruptedException {
    PjrtClient client = open(file, 2);
    PjrtExecutable add = client.compile(program(ADD), CompileOptions.grid(1, 1));
    PjrtExecutable reduce = client.compile(program(REDUCE), CompileOptions.grid(2, 1));
    List<List<PjrtBuffer>> shared = new ArrayList<>();
    for (PjrtDevice device : client.devices()) {
      shared.add(List.of(client.toDevice(floats(1, 2, 3, 4), device)));
    }
    PjrtBuffer x = shared.get(0).get(0);
    List<Runnable> work =
        List.of(
            () -> release(reduce.execute(shared)),
            () -> release(reduce.execute(shared)),
            () -> release(add.execute(List.of(List.of(x, x)))),
            x::toLiteral,
            () -> {
              PjrtBuffer own = client.toDevice(floats(0, 0, 0, 0), client.devices().get(0));
              release(add.execute(List.of(List.of(own, x)), KEEP_SECOND));
            });
    ConcurrentLinkedQueue<Throwable> ends = new ConcurrentLinkedQueue<>();
    CountDownLatch running = new CountDownLatch(work.size());
    List<Thread> threads = new ArrayList<>();
    for (Runnable each : work) {
      Thread thread =
          new Thread(
              () -> {
                try {
                  each.run();
                  running.countDown();
                  while (true) {
                    each.run();
                  }
                } catch (RuntimeException e) {
                  ends.add(e);
                }
              });
      threads.add(thread);
      thread.start();
    }
    running.await();
    Thread closer = new Thread(reduce::close);
    closer.start();
    client.close();
    closer.join();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(ends)
        .hasSize(work.size())
        .allSatisfy(
            end ->
                assertThat(end)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("is closed"));
  }

  private static void release(ImmutableList<ImmutableList<PjrtBuffer>> results) {
    results.forEach(device -> device.forEach(PjrtBuffer::close));
  }
}
