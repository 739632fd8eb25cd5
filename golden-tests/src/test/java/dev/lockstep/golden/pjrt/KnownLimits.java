package dev.lockstep.golden.pjrt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What XLA's CPU plugins are known not to do as the interpreter does: {@code cpu.limits} lists for
 * every program of the tests the kind of the answer, and on which plugins. Whatever else they
 * refuse, and whatever of it they take after all, fails the test that finds it.
 */
public final class KnownLimits {
  private static final Path FILE = Path.of("src/test/resources/pjrt/cpu.limits");

  /** The answers, by the word of their kind. */
  private static final ImmutableMap<String, Kind> KINDS =
      ImmutableMap.<String, Kind>builder()
          .put(
              "partition-id",
              kind(
                  "PartitionId instruction is not supported for SPMD",
                  "partition-id in a program over arrays that devices share"))
          .put("collective-broadcast", kind(thunk("collective-broadcast"), "collective broadcast"))
          .put(
              "collective-reduce",
              kind(
                  "calling opcode: collective-reduce|'stablehlo.collective_reduce' found",
                  "collective reduce"))
          .put("ragged", kind(thunk("ragged-all-to-all"), "ragged all-to-all"))
          .put("transfer", kind(thunk("(?:send|recv)"), "sends and receives between devices"))
          .put(
              "quantized",
              kind("uniform_quantize' op can't be translated to XLA HLO", "quantized types"))
          .put(
              "random-numbers",
              kind("differs: ", "other random numbers of the generator that backends choose"))
          .put(
              "partitioned",
              kind(
                  "refused: pjrt-partitioned",
                  "refused by Lockstep: HLO that XLA has partitioned over replicas and partitions both"))
          .put(
              "in-place-permute",
              kind(
                  "refused: pjrt-permute",
                  "refused by Lockstep: permutes that write slices in place, which end the process"))
          .buildOrThrow();

  private KnownLimits() {}

  private record Kind(Pattern answer, String words) {}

  private static Kind kind(String answer, String words) {
    return new Kind(Pattern.compile(answer), words);
  }

  private static String thunk(String opcode) {
    return "HLO opcode `" + opcode + "` is not supported by XLA:CPU ThunkEmitter";
  }

  /** A line of the list. */
  private record Limit(String kind, ImmutableList<String> plugins, String program) {}

  /** Returns the table of docs/pjrt.md. */
  static String table() {
    StringBuilder out =
        new StringBuilder("| kind | what | PJRT | programs of the tests |\n|---|---|---|---|\n");
    KINDS.forEach(
        (word, kind) -> {
          Set<String> plugins = new LinkedHashSet<>();
          Set<String> programs = new LinkedHashSet<>();
          for (Limit limit : all()) {
            if (limit.kind().equals(word)) {
              plugins.addAll(limit.plugins());
              programs.add(limit.program());
            }
          }
          out.append(
              String.format(
                  "| %s | %s | %s | %d |\n",
                  word, kind.words(), String.join(", ", plugins), programs.size()));
        });
    return out.toString();
  }

  /** Returns the list. */
  private static ImmutableList<Limit> all() {
    try {
      return Files.readAllLines(FILE).stream()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> line.split("\t"))
          .map(parts -> new Limit(parts[0], ImmutableList.copyOf(parts[1].split(",")), parts[2]))
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Compares what {@code both} found with the list's programs of {@code suite}. Of plugins whose
   * version the list does not know, nothing is expected.
   */
  public static void check(String suite, OnPjrt both) {
    String plugin = "0." + both.minor();
    List<String> found = new ArrayList<>();
    both.found().forEach((name, answer) -> found.add(kind(answer) + "\t" + name));
    Map<String, String> expected = new TreeMap<>();
    boolean known = false;
    for (Limit limit : all()) {
      known |= limit.plugins().contains(plugin);
      if (limit.plugins().contains(plugin) && limit.program().startsWith(suite + "/")) {
        expected.put(limit.program(), limit.kind());
      }
    }
    assumeTrue(known, "the list knows no plugin of PJRT " + plugin + ", where was found: " + found);
    List<String> lines = new ArrayList<>();
    expected.forEach((program, kind) -> lines.add(kind + "\t" + program));
    assertThat(found).as("on PJRT %s: %s", plugin, both.found()).isEqualTo(lines);
  }

  private static String kind(String answer) {
    for (Map.Entry<String, Kind> kind : KINDS.entrySet()) {
      if (kind.getValue().answer().matcher(answer).find()) {
        return kind.getKey();
      }
    }
    return answer;
  }
}
