package dev.lockstep.handshake.bench;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.Iterables;
import com.google.common.collect.LinkedListMultimap;
import com.google.common.collect.ListMultimap;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The load benchmark beside its anchor, one after the other and again, as a table: {@code python
 * zmq_handshake_bench.py [repetitions [warm-up-seconds]]}. The python needs pyzmq.
 */
public final class LoadReport {
  /** Runs the anchor and says how much processor time it and its processes have used. */
  private static final String TIMED =
      "import resource, subprocess, sys\n"
          + "sys.stdout.write(subprocess.run([sys.executable] + sys.argv[1:], check=True,"
          + " capture_output=True, text=True).stdout)\n"
          + "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
          + "print('{\"cpu_s\": %f}' % (used.ru_utime + used.ru_stime))\n";

  private static final ImmutableList<Setup> SETUPS =
      ImmutableList.of(
          new Setup("256 ranks, a stream each", 256, LoadRanks.Way.DIRECT, false, 15),
          new Setup("256 ranks, a stream each, TLS", 256, LoadRanks.Way.DIRECT, true, 8),
          new Setup("2,048 ranks, a stream each", 2048, LoadRanks.Way.DIRECT, false, 40),
          new Setup(
              "2,048 ranks, hosts of 8 with a stream each", 2048, LoadRanks.Way.HOSTS, false, 150),
          new Setup(
              "2,048 ranks, a stream each to aggregators of 8 on this machine",
              2048,
              LoadRanks.Way.AGGREGATED,
              false,
              0));

  private final String python;
  private final String anchor;
  private final int repetitions;
  private final int warmUp;
  private final List<String> certificate;
  private final ListMultimap<Object, Measured> measured = LinkedListMultimap.create();

  private LoadReport(
      String python, String anchor, int repetitions, int warmUp, List<String> certificate) {
    this.python = python;
    this.anchor = anchor;
    this.repetitions = repetitions;
    this.warmUp = warmUp;
    this.certificate = certificate;
  }

  /**
   * A row of the table.
   *
   * @param wanted how many times the anchor's rounds it shall do; 0 for none in particular
   */
  private record Setup(String name, int ranks, LoadRanks.Way way, boolean tls, int wanted) {
    int rounds() {
      return ranks > 256 ? 300 : 2000;
    }
  }

  /** What one run said. */
  private record Measured(String json, double processorMillis) {
    double get(String name) {
      Matcher value = Pattern.compile("\"" + name + "\": ([-0-9.e]+)").matcher(json);
      if (!value.find()) {
        throw new IllegalStateException("no " + name + " in " + json);
      }
      return Double.parseDouble(value.group(1));
    }
  }

  /** Measures and prints. */
  public static void main(String[] arguments) throws Exception {
    Path folder = Files.createTempDirectory("handshake-load");
    LoadReport report =
        new LoadReport(
            arguments[0],
            arguments[1],
            arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3,
            arguments.length > 3 ? Integer.parseInt(arguments[3]) : 30,
            LoadCertificate.create(folder));
    report.measure();
    System.out.println(report.table());
  }

  private void measure() throws IOException, InterruptedException {
    double[] start = {startMillis(256), startMillis(2048)};
    for (int repetition = 0; repetition < repetitions; repetition++) {
      int ranks = 0;
      for (Setup setup : SETUPS) {
        if (setup.ranks != ranks) {
          ranks = setup.ranks;
          int rounds = ranks > 256 ? 10 : 200;
          Measured run = anchor(ranks, rounds);
          double used = run.get("cpu_s") * 1e3 - start[ranks > 256 ? 1 : 0];
          measured.put(ranks, new Measured(run.json, used / (rounds - 1)));
        }
        measured.put(setup, own(setup));
      }
    }
  }

  /** Processor time of an anchor that does nothing but begin, and its first rounds. */
  private double startMillis(int ranks) throws IOException, InterruptedException {
    return anchor(ranks, 1).get("cpu_s") * 1e3;
  }

  private Measured anchor(int ranks, int rounds) throws IOException, InterruptedException {
    String ranksText = Integer.toString(ranks);
    String roundsText = Integer.toString(rounds);
    return new Measured(
        run(List.of(python, "-c", TIMED, anchor, "--ranks", ranksText, "--rounds", roundsText)), 0);
  }

  private Measured own(Setup setup) throws IOException, InterruptedException {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                LoadBenchmark.class.getName(),
                Integer.toString(setup.ranks),
                Integer.toString(warmUp),
                Integer.toString(setup.rounds()),
                setup.way.name()));
    if (setup.tls) {
      command.addAll(certificate);
    }
    Measured run = new Measured(run(command), 0);
    return new Measured(run.json, run.get("ranks_cpu_ms") + run.get("coordinator_cpu_ms"));
  }

  private static String run(List<String> command) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    try {
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new IllegalStateException(command + " ended with " + process.exitValue());
      }
      System.err.println(output.strip());
      return output;
    } finally {
      process.destroy();
    }
  }

  private String table() throws IOException {
    StringBuilder text = new StringBuilder();
    text.append("Machine: ").append(machine()).append(". Medians of ").append(repetitions);
    text.append(" runs, alternating; ").append(warmUp).append(" s of warm-up.\n\n");
    text.append("| setup | anchor, rounds/s | Lockstep, rounds/s | ratio | wanted | median | ");
    text.append("99 of 100 | anchor, CPU a round | ranks + coordinator | ratio |\n");
    text.append("|---|---|---|---|---|---|---|---|---|---|\n");
    for (Setup setup : SETUPS) {
      List<Measured> anchors = measured.get(setup.ranks);
      List<Measured> own = measured.get(setup);
      double anchorRate = median(anchors, "rounds_per_s");
      double rate = median(own, "rounds_per_s");
      double anchorMillis = median(anchors.stream().map(Measured::processorMillis).toList());
      double millis = median(own.stream().map(Measured::processorMillis).toList());
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %.1f | %.0f | %.1f | %s | %.2f ms | %.2f ms | %.0f ms | %.1f + %.1f ms |"
                  + " %.0f |\n",
              setup.name,
              anchorRate,
              rate,
              rate / anchorRate,
              setup.wanted == 0 ? "" : Integer.toString(setup.wanted),
              median(own, "p50_ms"),
              median(own, "p99_ms"),
              anchorMillis,
              median(own, "ranks_cpu_ms"),
              median(own, "coordinator_cpu_ms"),
              anchorMillis / millis));
    }
    double small = memory(SETUPS.get(0));
    double large = memory(SETUPS.get(2));
    text.append(
        String.format(
            Locale.ROOT,
            "\nHeap after a collection and direct memory of the coordinator: %.1f MB with 256 ranks,"
                + " %.1f MB with 2,048: %.1f kB for each rank added.",
            small / 1e6,
            large / 1e6,
            (large - small) / (2048 - 256) / 1e3));
    return text.toString();
  }

  private double memory(Setup setup) {
    return median(measured.get(setup), "heap_bytes") + median(measured.get(setup), "direct_bytes");
  }

  private static double median(List<Measured> runs, String name) {
    return median(runs.stream().map(run -> run.get(name)).toList());
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  private static String machine() throws IOException {
    Path description = Path.of("/proc/cpuinfo");
    String model =
        Files.exists(description)
            ? Files.readAllLines(description).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> Iterables.get(Splitter.on(": ").split(line), 1))
                .findFirst()
                .orElse("unknown processor")
            : "unknown processor";
    return Runtime.getRuntime().availableProcessors()
        + " processors ("
        + model
        + "), "
        + System.getProperty("os.name")
        + ", "
        + System.getProperty("java.vm.name")
        + " "
        + System.getProperty("java.version");
  }
}
