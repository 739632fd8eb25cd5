package dev.lockstep.handshake.bench;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.grpc.AggregatorServer;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.simulate.Scripts;
import io.grpc.ManagedChannel;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Rounds a second and latency of a coordinator in its own process, with all ranks as clients in
 * this one: {@code ranks rounds direct|aggregated [certificate key authority]}.
 *
 * <p>Every round all ranks ask at DISPATCH and wait for the verdict before the next, as in
 * research/zmq_handshake_bench.py.
 */
public final class LoadBenchmark {
  private static final int RANKS_A_CONNECTION = 32;
  private static final int RANKS_A_HOST = 8;

  private LoadBenchmark() {}

  /** Runs one measurement and prints one line of JSON. */
  public static void main(String[] arguments) throws Exception {
    int ranks = Integer.parseInt(arguments[0]);
    int rounds = Integer.parseInt(arguments[1]);
    boolean aggregated = arguments[2].equals("aggregated");
    boolean tls = arguments.length > 3;
    Transport transport =
        tls ? new Transport(null, null, Path.of(arguments[5]), false) : Transport.LOOPBACK;
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LoadServer.class.getName(),
                Integer.toString(ranks)));
    if (tls) {
      command.addAll(List.of(arguments[3], arguments[4]));
    }
    Process server =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try (BufferedReader from =
            new BufferedReader(
                new InputStreamReader(server.getInputStream(), StandardCharsets.UTF_8));
        BufferedWriter to =
            new BufferedWriter(
                new OutputStreamWriter(server.getOutputStream(), StandardCharsets.UTF_8))) {
      int port = Integer.parseInt(from.readLine());
      measure(ranks, rounds, aggregated, transport, port, tls, from, to);
    } finally {
      server.destroy();
    }
    System.exit(0);
  }

  private static void measure(
      int ranks,
      int rounds,
      boolean aggregated,
      Transport transport,
      int port,
      boolean tls,
      BufferedReader from,
      BufferedWriter to)
      throws Exception {
    ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
    List<HandshakeClient> clients = new ArrayList<>();
    ManagedChannel channel = Channels.open("localhost:" + port, transport);
    for (int rank = 0; rank < ranks; rank++) {
      if (aggregated && rank % RANKS_A_HOST == 0) {
        AggregatorServer host =
            AggregatorServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Transport.LOOPBACK,
                "localhost:" + port,
                transport);
        channel = Channels.open("localhost:" + host.port(), Transport.LOOPBACK);
      } else if (!aggregated && rank % RANKS_A_CONNECTION == 0) {
        channel = Channels.open("localhost:" + port, transport);
      }
      clients.add(
          HandshakeClient.connect(
              ClientOptions.of(
                  "load",
                  "",
                  0,
                  rank,
                  ranks,
                  rank + 1,
                  Stage.DISPATCH,
                  new Hello.Versions(1, "lockstep-fp1", "bench", "")),
              channel,
              timer,
              unasked -> {}));
    }
    RankList all = RankList.world(ranks);
    Program program =
        Scripts.program(
            "step",
            all,
            ImmutableList.of(
                new Scripts.Call(all, "all_reduce"), new Scripts.Call(all, "all_gather")),
            ImmutableList.of("", "", ""),
            "");
    for (int warm = 0; warm < Math.max(5, rounds / 4); warm++) {
      round(clients, program);
    }
    long[] nanos = new long[rounds];
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      long before = System.nanoTime();
      round(clients, program);
      nanos[i] = System.nanoTime() - before;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    Arrays.sort(nanos);
    to.write("memory\n");
    to.flush();
    List<String> memory = Splitter.on(' ').splitToList(from.readLine());
    System.out.printf(
        Locale.ROOT,
        "{\"ranks\": %d, \"rounds\": %d, \"aggregated\": %b, \"tls\": %b, \"rounds_per_s\": %.1f,"
            + " \"p50_ms\": %.2f, \"p99_ms\": %.2f, \"heap_bytes\": %s, \"direct_bytes\": %s}%n",
        ranks,
        rounds,
        aggregated,
        tls,
        rounds / seconds,
        nanos[rounds / 2] / 1e6,
        nanos[(int) (rounds * 0.99)] / 1e6,
        memory.get(0),
        memory.get(1));
  }

  private static void round(List<HandshakeClient> clients, Program program) throws Exception {
    CountDownLatch left = new CountDownLatch(clients.size());
    for (HandshakeClient client : clients) {
      @SuppressWarnings("unused")
      Object counted =
          client
              .run(program)
              .thenAccept(
                  verdict -> {
                    if (verdict.kind() != VerdictKind.FAT) {
                      System.err.println(verdict);
                      System.exit(1);
                    }
                    left.countDown();
                  });
    }
    if (!left.await(120, TimeUnit.SECONDS)) {
      throw new IllegalStateException(left.getCount() + " ranks have no verdict");
    }
  }
}
