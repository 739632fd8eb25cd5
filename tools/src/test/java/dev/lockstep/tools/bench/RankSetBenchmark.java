package dev.lockstep.tools.bench;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.text.Texts;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.diff.DiffReport;
import dev.lockstep.pass.region.diff.RankDiff;
import dev.lockstep.pass.region.fingerprint.RankClasses;
import dev.lockstep.pass.region.match.MatchOptions;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.match.RankMatcher;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.Supplier;

/**
 * Processor time of the one thread that reads, classifies, matches and compares the programs of
 * many ranks, once, in a fresh JVM: what a user waits for on a machine with nothing else to do.
 * Arguments: the StableHLO text of jax's llama8l_bf16, the number of ranks, how many of them
 * differ. All-reduces are added to it, since it has none before it is partitioned.
 */
public final class RankSetBenchmark {
  private static final String INTEGER = "stablehlo.constant dense<0> : tensor<i32>";

  private static final int MEETINGS = 200;
  private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

  private RankSetBenchmark() {}

  /** Runs it. */
  public static void main(String[] arguments) throws IOException {
    String text = Files.readString(Path.of(arguments[0]));
    int ranks = Integer.parseInt(arguments[1]);
    int different = Integer.parseInt(arguments[2]);
    RankPrograms programs =
        timed(
            "read",
            () -> read(text, Path.of(arguments[0]).getFileName().toString(), ranks, different));
    RankClasses classes = timed("classify", () -> RankClasses.of(programs));
    MatchReport match = timed("match", () -> RankMatcher.match(programs, MatchOptions.DEFAULT));
    DiffReport diff = timed("compare", () -> RankDiff.of(programs));
    System.out.printf(
        "%d ranks, %d classes, %s, %d meetings, %d other classes compared%n",
        ranks, classes.classes().size(), match.verdict(), match.meetings(), diff.others().size());
    if (match.failure() != null) {
      System.out.println(match.failure().diagnostic());
    }
  }

  private static <T> T timed(String what, Supplier<T> work) {
    long start = CLOCK.getCurrentThreadCpuTime();
    T result = work.get();
    System.out.printf("%-9s %6d ms%n", what, (CLOCK.getCurrentThreadCpuTime() - start) / 1_000_000);
    return result;
  }

  /** Returns all-reduces of the first constant over all replicas. */
  private static String meetings() {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < MEETINGS; i++) {
      out.append("%meet")
          .append(i)
          .append(
              " = \"stablehlo.all_reduce\"(%c) <{replica_groups = dense<> : tensor<0x0xi64>}> ({\n"
                  + "^bb0(%l: tensor<i32>, %r: tensor<i32>):\n"
                  + "%s = stablehlo.add %l, %r : tensor<i32>\n"
                  + "stablehlo.return %s : tensor<i32>\n"
                  + "}) : (tensor<i32>) -> tensor<i32>\n");
    }
    return out.toString();
  }

  /** Makes the texts of all ranks and reads each content once, as the command line does. */
  private static RankPrograms read(String text, String name, int ranks, int different) {
    int at = text.indexOf('\n', text.indexOf(INTEGER)) + 1;
    String rest = meetings() + text.substring(at);
    Map<ByteBuffer, Module> known = new HashMap<>();
    List<ImmutableList<RankPrograms.Program>> out = new ArrayList<>();
    for (int rank = 0; rank < ranks; rank++) {
      int own = rank < ranks - different ? 0 : rank;
      String changed = text.substring(0, at).replace("<0> : t", "<" + own + "> : t") + rest;
      byte[] bytes = changed.getBytes(StandardCharsets.UTF_8);
      String file = name + ".rank" + rank;
      Module module =
          known.computeIfAbsent(
              ByteBuffer.wrap(bytes), content -> Texts.read(Source.of(file, bytes)));
      out.add(ImmutableList.of(new RankPrograms.Program(file, module)));
    }
    return RankPrograms.of(out, OptionalInt.empty());
  }
}
