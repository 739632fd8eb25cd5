package dev.lockstep.handshake.bench;

import com.google.common.base.Splitter;
import dev.lockstep.handshake.grpc.Transport;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Rounds a second, latency, processor time and memory of a coordinator in its own process, with all
 * ranks as clients in this one: {@code ranks warm-up-seconds rounds WAY [certificate key
 * authority]}, where {@code WAY} is a name of {@link LoadRanks.Way}. Prints one line of JSON.
 *
 * <p>Every round all ranks ask at DISPATCH and wait for the verdict before the next, as in
 * research/zmq_handshake_bench.py. Rounds are run for the warm-up's time, and until there were
 * 800,000 requests, before any is measured: both processes compile their code while they run.
 */
public final class LoadBenchmark {
  private static final int WARM_REQUESTS = 800_000;

  private LoadBenchmark() {}

  /** Runs one measurement. */
  public static void main(String[] arguments) throws Exception {
    int ranks = Integer.parseInt(arguments[0]);
    int warmUp = Integer.parseInt(arguments[1]);
    int rounds = Integer.parseInt(arguments[2]);
    LoadRanks.Way way = LoadRanks.Way.valueOf(arguments[3].toUpperCase(Locale.ROOT));
    boolean tls = arguments.length > 4;
    Transport transport =
        tls ? new Transport(null, null, Path.of(arguments[6]), false) : Transport.LOOPBACK;
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
    String more = System.getProperty("load.server");
    if (more != null) {
      command.addAll(1, Splitter.on(' ').splitToList(more));
    }
    if (tls) {
      command.addAll(List.of(arguments[4], arguments[5]));
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
      try (LoadRanks clients = new LoadRanks(ranks, way, port, transport)) {
        long warm = System.nanoTime() + warmUp * 1_000_000_000L;
        for (int i = 0; System.nanoTime() < warm || i < WARM_REQUESTS / ranks; i++) {
          clients.round();
        }
        System.out.println(
            "{\"ranks\": "
                + ranks
                + ", \"way\": \""
                + way
                + "\", \"tls\": "
                + tls
                + measure(clients, rounds, from, to));
      }
    } finally {
      server.destroy();
    }
  }

  private static String measure(
      LoadRanks clients, int rounds, BufferedReader from, BufferedWriter to) throws Exception {
    long[] before = state(from, to);
    long ownBefore = LoadServer.processorNanos();
    long[] nanos = new long[rounds];
    long start = System.nanoTime();
    for (int i = 0; i < rounds; i++) {
      long begin = System.nanoTime();
      clients.round();
      nanos[i] = System.nanoTime() - begin;
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    long own = LoadServer.processorNanos() - ownBefore;
    long[] after = state(from, to);
    Arrays.sort(nanos);
    return String.format(
        Locale.ROOT,
        ", \"rounds\": %d, \"rounds_per_s\": %.1f, \"p50_ms\": %.2f, \"p99_ms\": %.2f,"
            + " \"ranks_cpu_ms\": %.3f, \"coordinator_cpu_ms\": %.3f,"
            + " \"heap_bytes\": %d, \"direct_bytes\": %d}",
        rounds,
        rounds / seconds,
        nanos[rounds / 2] / 1e6,
        nanos[(int) (rounds * 0.99)] / 1e6,
        own / 1e6 / rounds,
        (after[0] - before[0]) / 1e6 / rounds,
        after[1],
        after[2]);
  }

  /** Asks the coordinator's process for what {@link LoadServer} says. */
  private static long[] state(BufferedReader from, BufferedWriter to) throws IOException {
    to.write("state\n");
    to.flush();
    return Splitter.on(' ').splitToStream(from.readLine()).mapToLong(Long::parseLong).toArray();
  }
}
