package dev.lockstep.runtime.pjrt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.lockstep.testing.CppCompiler;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Plugins that find each other through the key-value store, as those of several processes do. */
final class KeyValueStoreTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path folder;

  private PjrtPlugin plugin;

  @BeforeEach
  void compile() throws IOException {
    CppCompiler.require();
    plugin =
        PjrtPlugin.load(
            CppCompiler.compile(
                "runtime/src/test/native/fake_plugin.cc",
                folder.resolve("nodes.so"),
                "-shared",
                "-fPIC",
                "-DNODES"));
  }

  private PjrtClient open(int node, int timeout, PjrtKeyValueStore store) {
    String wait = Integer.toString(timeout);
    return PjrtClient.create(
        plugin, Map.of("node_id", Integer.toString(node), "timeout", wait), store);
  }

  private static PjrtKeyValueStore.Entry next(PjrtKeyValueStore store) {
    return store.take(LONG).orElseThrow();
  }

  @Test
  void twoProcesses_findWhatTheOtherHasPut()
      throws ExecutionException, InterruptedException, TimeoutException {
    try (PjrtKeyValueStore first = PjrtKeyValueStore.create();
        PjrtKeyValueStore second = PjrtKeyValueStore.create()) {
      CompletableFuture<String> one = CompletableFuture.supplyAsync(() -> platform(0, first));
      CompletableFuture<String> two = CompletableFuture.supplyAsync(() -> platform(1, second));
      assertThat(second.fill(next(first))).isTrue();
      assertThat(first.fill(next(second))).isTrue();
      assertThat(one.get(30, TimeUnit.SECONDS)).isEqualTo("from \0 node/1");
      assertThat(two.get(30, TimeUnit.SECONDS)).isEqualTo("from \0 node/0");
      assertThat(first.take(Duration.ZERO)).isEmpty();
    }
  }

  private String platform(int node, PjrtKeyValueStore store) {
    try (PjrtClient client = open(node, 30_000, store)) {
      return client.platformName();
    }
  }

  @Test
  void whatNobodyPuts_isMissedInTime() {
    try (PjrtKeyValueStore store = PjrtKeyValueStore.create()) {
      PjrtException late = catchThrowableOfType(PjrtException.class, () -> open(0, 20, store));
      assertThat(late.code()).isEqualTo(PjrtCode.DEADLINE_EXCEEDED);
      assertThat(late).hasMessageContaining("no process has put node/1 for 20 ms");
      PjrtException twice = catchThrowableOfType(PjrtException.class, () -> open(0, 20, store));
      assertThat(twice.code()).isEqualTo(PjrtCode.ALREADY_EXISTS);
      try (PjrtClient other = open(1, -1, store)) {
        assertThat(other.platformName()).isEqualTo("from \0 node/0");
      }
    }
  }

  @Test
  void whatIsNotThere_isNotWaitedForWithoutATime() {
    try (PjrtKeyValueStore store = PjrtKeyValueStore.create()) {
      PjrtException none = catchThrowableOfType(PjrtException.class, () -> open(0, -1, store));
      assertThat(none.code()).isEqualTo(PjrtCode.NOT_FOUND);
    }
  }

  @Test
  void closing_endsAllWaiting() throws InterruptedException, TimeoutException {
    PjrtKeyValueStore store = PjrtKeyValueStore.create();
    CompletableFuture<String> waiting = CompletableFuture.supplyAsync(() -> platform(0, store));
    assertThat(next(store).key()).isEqualTo("node/0");
    store.close();
    Throwable cause = null;
    try {
      waiting.get(30, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      cause = e.getCause();
    }
    assertThat(cause)
        .isInstanceOfSatisfying(
            PjrtException.class, e -> assertThat(e.code()).isEqualTo(PjrtCode.CANCELLED));
    assertThat(store.fill(new PjrtKeyValueStore.Entry("a", new byte[0]))).isFalse();
    store.close();
  }

  @Test
  void aPluginWithoutStore_isNotGivenOne() {
    PjrtException refused =
        catchThrowableOfType(PjrtException.class, () -> PjrtClient.create(plugin, Map.of()));
    assertThat(refused.code()).isEqualTo(PjrtCode.FAILED_PRECONDITION);
  }
}
