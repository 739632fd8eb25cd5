package dev.lockstep.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.lower.fx.aten.GroupTable;
import dev.lockstep.lower.fx.graph.FxOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What torch FX graphs leave open: flags of every verb that reads programs. */
public final class FxFlags {
  /** Diagnostic code: a table of process groups is wrong. */
  public static final String GROUPS = "groups-file";

  private static final String BESIDE = "groups.json";

  @Option(
      names = "--groups",
      paramLabel = "FILE",
      description =
          "FX: the ranks of process groups, {\"0\": [0, 1]}; else groups.json beside the graph.")
  private @Nullable Path groups;

  @Option(
      names = "--bind",
      paramLabel = "NAME=N",
      description = "FX: the number that a symbolic size stands for, s0=8; may be repeated.")
  private Map<String, String> bindings = new LinkedHashMap<>();

  @Option(
      names = "--mutated-inputs",
      description = "FX: let graphs write to inputs; each new value is one more result.")
  private boolean mutatedInputs;

  private final Map<Path, GroupTable> tables = new LinkedHashMap<>();
  private OptionalInt world = OptionalInt.empty();

  /** Says how many ranks there are, for graphs without a table of groups. */
  public void expectRanks(int ranks) {
    world = OptionalInt.of(ranks);
  }

  /**
   * Returns how to read {@code source}.
   *
   * @throws DiagnosticException when the table of groups is wrong
   */
  public FxOptions options(Source source) {
    ImmutableMap.Builder<String, Long> numbers = ImmutableMap.builder();
    bindings.forEach(
        (name, text) -> {
          if (!text.matches("\\d{1,18}")) {
            throw new UsageException("--bind " + name + "=" + text + ": must be a size");
          }
          numbers.put(name, Long.parseLong(text));
        });
    GroupTable table = table(source);
    return FxOptions.DEFAULT
        .withGroups(world.isPresent() ? table.orWorld(world.getAsInt()) : table)
        .withBindings(numbers.buildOrThrow())
        .withMutatedInputs(mutatedInputs);
  }

  private GroupTable table(Source source) {
    Path file = groups;
    if (file == null) {
      try {
        file = Path.of(source.name()).resolveSibling(BESIDE);
      } catch (InvalidPathException e) {
        return GroupTable.UNKNOWN;
      }
      if (!Files.isRegularFile(file)) {
        return GroupTable.UNKNOWN;
      }
    }
    GroupTable known = tables.get(file);
    if (known == null) {
      known = read(file);
      tables.put(file, known);
    }
    return known;
  }

  private static GroupTable read(Path file) {
    JsonNode root;
    try {
      root = new ObjectMapper().readTree(file.toFile());
    } catch (JsonProcessingException e) {
      throw wrong(file + " is not JSON: " + e.getOriginalMessage());
    } catch (IOException e) {
      throw new EnvironmentException("cannot read " + file + ": " + IoMessages.reason(e));
    }
    if (root == null || !root.isObject()) {
      throw wrong(file + " must hold the ranks of each group: {\"0\": [0, 1]}");
    }
    ImmutableMap.Builder<String, ImmutableLongArray> out = ImmutableMap.builder();
    ImmutableMap.Builder<String, String> reductions = ImmutableMap.builder();
    root.properties()
        .forEach(
            entry -> {
              if (entry.getValue().isTextual()) {
                reductions.put(entry.getKey(), entry.getValue().textValue());
              } else {
                out.put(entry.getKey(), ranks(file, entry));
              }
            });
    return new GroupTable(out.buildOrThrow(), reductions.buildOrThrow(), OptionalInt.empty());
  }

  private static ImmutableLongArray ranks(Path file, Map.Entry<String, JsonNode> entry) {
    ImmutableLongArray.Builder ranks = ImmutableLongArray.builder();
    Set<Long> seen = new HashSet<>();
    boolean good = entry.getValue().isArray() && !entry.getValue().isEmpty();
    for (JsonNode rank : entry.getValue()) {
      good &= rank.isIntegralNumber() && rank.longValue() >= 0 && seen.add(rank.longValue());
      good &= rank.longValue() <= Integer.MAX_VALUE;
      ranks.add(rank.longValue());
    }
    if (!good) {
      throw wrong(
          String.format(
              "%s: group \"%s\" must be a list of different ranks, got %s",
              file, entry.getKey(), entry.getValue()));
    }
    return ranks.build();
  }

  private static DiagnosticException wrong(String message) {
    return DiagnosticException.error(GROUPS, message, Location.UNKNOWN);
  }
}
