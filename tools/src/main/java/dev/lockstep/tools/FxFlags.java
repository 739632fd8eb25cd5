package dev.lockstep.tools;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.lower.fx.aten.GroupTable;
import dev.lockstep.lower.fx.graph.FxOptions;
import dev.lockstep.runtime.json.JsonTree;
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
      description =
          "FX: the number that a symbolic size stands for, s0=8, or the type of an input whose type"
              + " the text does not say, 'x=f32[4, 8]'; may be repeated.")
  private Map<String, String> bindings = new LinkedHashMap<>();

  @Option(
      names = "--mutated-inputs",
      description = "FX: let graphs write to inputs; each new value is one more result.")
  private boolean mutatedInputs;

  private final Map<Path, GroupTable> tables = new LinkedHashMap<>();
  private OptionalInt world = OptionalInt.empty();
  private GroupTable otherwise = GroupTable.UNKNOWN;

  /** Says how many ranks there are, for graphs without a table of groups. */
  public void expectRanks(int ranks) {
    world = OptionalInt.of(ranks);
  }

  /** Says that graphs which have no table beside them have that of {@code source}. */
  public void useTableOf(Source source) {
    otherwise = table(source);
  }

  /** Returns these flags as words of a command line. */
  public ImmutableList<String> words() {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    if (groups != null) {
      out.add("--groups", groups.toString());
    }
    bindings.forEach((name, size) -> out.add("--bind", name + "=" + size));
    if (mutatedInputs) {
      out.add("--mutated-inputs");
    }
    return out.build();
  }

  /**
   * Returns how to read {@code source}.
   *
   * @throws DiagnosticException when the table of groups is wrong
   */
  public FxOptions options(Source source) {
    ImmutableMap.Builder<String, Long> numbers = ImmutableMap.builder();
    ImmutableMap.Builder<String, String> types = ImmutableMap.builder();
    bindings.forEach(
        (name, text) -> {
          if (text.matches("\\d{1,18}")) {
            numbers.put(name, Long.parseLong(text));
          } else if (text.matches("[a-z]+\\d\\w*\\[[\\d, ]*\\]")) {
            types.put(name, text);
          } else {
            throw new UsageException(
                "--bind " + name + "=" + text + ": must be a size, or a type such as f32[4, 8]");
          }
        });
    GroupTable table = table(source);
    return FxOptions.DEFAULT
        .withGroups(world.isPresent() ? table.orWorld(world.getAsInt()) : table)
        .withBindings(numbers.buildOrThrow())
        .withTypes(types.buildOrThrow())
        .withMutatedInputs(mutatedInputs);
  }

  private GroupTable table(Source source) {
    Path file = groups;
    if (file == null) {
      try {
        file = Path.of(source.name()).resolveSibling(BESIDE);
      } catch (InvalidPathException e) {
        return otherwise;
      }
      if (!Files.isRegularFile(file)) {
        return otherwise;
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
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw DiagnosticException.error(
          GROUPS, "cannot read " + file + ": " + IoMessages.reason(e), Location.UNKNOWN);
    }
    JsonTree root = JsonTree.read(Source.of(file.toString(), bytes), GROUPS);
    if (!root.is(JsonTree.Kind.OBJECT)) {
      throw root.error("this must hold the ranks of each group: {\"0\": [0, 1]}");
    }
    ImmutableMap.Builder<String, ImmutableLongArray> out = ImmutableMap.builder();
    ImmutableMap.Builder<String, String> reductions = ImmutableMap.builder();
    root.members()
        .forEach(
            (name, value) -> {
              if (value.is(JsonTree.Kind.STRING)) {
                reductions.put(name, value.text());
              } else {
                out.put(name, ranks(name, value));
              }
            });
    return new GroupTable(out.buildOrThrow(), reductions.buildOrThrow(), OptionalInt.empty());
  }

  private static ImmutableLongArray ranks(String name, JsonTree listed) {
    ImmutableLongArray.Builder ranks = ImmutableLongArray.builder();
    Set<Integer> seen = new HashSet<>();
    if (listed.elements().isEmpty()) {
      throw listed.error("group \"" + name + "\" must be a list of ranks");
    }
    for (JsonTree element : listed.elements()) {
      Integer rank = element.integer();
      if (rank == null || rank < 0) {
        throw element.error("group \"" + name + "\" holds " + element + ", which is no rank");
      }
      if (!seen.add(rank)) {
        throw element.error("group \"" + name + "\" holds rank " + rank + " twice");
      }
      ranks.add(rank);
    }
    return ranks.build();
  }
}
