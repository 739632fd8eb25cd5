package dev.lockstep.tools.input;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.runtime.json.JsonTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The programs of every rank of a job: what {@code --ranks} names.
 *
 * @param ranks for each rank from 0 on, its programs in the order it runs them
 */
public record RankSet(ImmutableList<ImmutableList<InputFile>> ranks) {
  /** Diagnostic code: it cannot be told which rank runs which program. */
  public static final String UNCLEAR = "ranks-unclear";

  private static final Pattern RANK = Pattern.compile("(?i)rank[_.-]?(\\d+)");
  private static final Pattern MODULE = Pattern.compile("module_(\\d+)");
  private static final Pattern NUMBER = Pattern.compile("\\d+");
  private static final String BEFORE_OPTIMIZATIONS = "before_optimizations";

  /**
   * Returns the set that {@code word} names: a pattern, a folder, or a .json file that lists the
   * programs of each rank.
   *
   * @throws DiagnosticException when files are missing or their ranks are unclear
   */
  public static RankSet of(String word) {
    ImmutableList<Path> found = InputFiles.expand(word);
    if (found.size() == 1 && word.endsWith(".json") && Files.isRegularFile(found.get(0))) {
      return ofList(found.get(0));
    }
    if (found.size() == 1 && Files.isDirectory(found.get(0))) {
      ImmutableList<Path> folders = foldersOfRanks(found.get(0), RANK);
      ImmutableList<Path> here = programs(found.get(0));
      if (folders.isEmpty() && here.isEmpty()) {
        folders = foldersOfRanks(found.get(0), NUMBER);
      }
      found = folders.isEmpty() ? here : folders;
    }
    if (found.isEmpty()) {
      throw unclear(InputFiles.noProgram(word));
    }
    if (found.size() == 1 && lastMatch(RANK, found.get(0).toString()) == null) {
      // One program and no word of ranks: a job of one rank, whatever numbers its name has.
      return new RankSet(ImmutableList.of(ImmutableList.of(InputFile.of(found.get(0)))));
    }
    return byName(found);
  }

  /**
   * Returns the set that {@code words} name: one word as {@link #of(String)} takes it, or the files
   * of several, whose names say their ranks; without such names they are ranks in the order given.
   *
   * @throws DiagnosticException when files are missing or their ranks are unclear
   */
  public static RankSet of(List<String> words) {
    if (words.size() == 1) {
      return of(words.get(0));
    }
    List<Path> found = new ArrayList<>();
    for (String word : words) {
      ImmutableList<Path> here = InputFiles.expand(word);
      if (here.isEmpty()) {
        throw unclear(InputFiles.noProgram(word));
      }
      found.addAll(here);
    }
    boolean named =
        found.stream().allMatch(path -> lastMatch(RANK, path.getFileName().toString()) != null);
    if (named) {
      return byName(ImmutableList.copyOf(found));
    }
    ImmutableList.Builder<ImmutableList<InputFile>> ranks = ImmutableList.builder();
    found.forEach(path -> ranks.add(ImmutableList.of(InputFile.of(path))));
    return new RankSet(ranks.build());
  }

  /** Returns the folders in {@code folder} that hold programs and have {@code name} in theirs. */
  private static ImmutableList<Path> foldersOfRanks(Path folder, Pattern name) {
    try (Stream<Path> children = Files.list(folder)) {
      return children
          .filter(Files::isDirectory)
          .filter(child -> name.matcher(child.getFileName().toString()).find())
          .filter(child -> name == RANK || !programs(child).isEmpty())
          .sorted()
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the programs of a folder; of one that XLA dumped to, those before optimisation. */
  private static ImmutableList<Path> programs(Path folder) {
    ImmutableList<Path> all = InputFiles.filesIn(folder, RankSet::isRanksText);
    ImmutableList<Path> before =
        all.stream()
            .filter(path -> path.getFileName().toString().contains(BEFORE_OPTIMIZATIONS))
            .collect(ImmutableList.toImmutableList());
    if (before.stream().anyMatch(path -> path.toString().endsWith(".txt"))) {
      // XLA dumps protos beside the texts when asked for both.
      return before.stream()
          .filter(path -> path.toString().endsWith(".txt"))
          .collect(ImmutableList.toImmutableList());
    }
    return before.isEmpty() ? all : before;
  }

  /** A text of a rank is a program even where it is cut off or damaged: reading it says so. */
  private static boolean isRanksText(Path file) {
    String name = file.getFileName().toString();
    return name.endsWith(".txt") && !name.startsWith(".") && RANK.matcher(name).find();
  }

  private static RankSet ofList(Path file) {
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    JsonTree root = JsonTree.read(Source.of(file.toString(), bytes), UNCLEAR);
    if (root.elements().isEmpty()) {
      throw root.error("this must hold a list with one list of programs for each rank");
    }
    ImmutableList.Builder<ImmutableList<InputFile>> ranks = ImmutableList.builder();
    for (JsonTree rank : root.elements()) {
      boolean isOne = !rank.is(JsonTree.Kind.LIST);
      if (!isOne && rank.elements().isEmpty()) {
        throw rank.error("a rank without programs");
      }
      ImmutableList.Builder<InputFile> programs = ImmutableList.builder();
      for (JsonTree name : isOne ? ImmutableList.of(rank) : rank.elements()) {
        Path program = name.is(JsonTree.Kind.STRING) ? beside(file, name.text()) : null;
        if (program == null || !Files.isRegularFile(program)) {
          throw name.error(name + " is no file");
        }
        programs.add(InputFile.of(program));
      }
      ranks.add(programs.build());
    }
    return new RankSet(ranks.build());
  }

  private static @Nullable Path beside(Path file, String name) {
    try {
      return file.resolveSibling(name);
    } catch (InvalidPathException e) {
      return null;
    }
  }

  private static RankSet byName(ImmutableList<Path> found) {
    TreeMap<Integer, List<Path>> byRank = new TreeMap<>();
    int differing = -1;
    for (Path path : found) {
      Matcher matcher = lastMatch(RANK, path.toString());
      int rank;
      if (matcher != null) {
        rank = number(matcher.group(1), path);
      } else {
        differing = differing < 0 ? differingNumber(found) : differing;
        rank = number(numbers(path).get(differing), path);
      }
      byRank
          .computeIfAbsent(rank, unused -> new ArrayList<>())
          .addAll(Files.isDirectory(path) ? programs(path) : ImmutableList.of(path));
    }
    ImmutableList.Builder<ImmutableList<InputFile>> ranks = ImmutableList.builder();
    int expected = 0;
    for (Map.Entry<Integer, List<Path>> entry : byRank.entrySet()) {
      if (entry.getKey() != expected++) {
        throw unclear(
            String.format(
                "there is no program for rank %d, but one for rank %d: %s",
                expected - 1, entry.getKey(), entry.getValue().get(0)));
      }
      ranks.add(inOrder(entry.getKey(), entry.getValue()));
    }
    return new RankSet(ranks.build());
  }

  private static ImmutableList<InputFile> inOrder(int rank, List<Path> programs) {
    if (programs.isEmpty()) {
      throw unclear(InputFiles.noProgram("the folder of rank " + rank));
    }
    if (programs.size() == 1) {
      return ImmutableList.of(InputFile.of(programs.get(0)));
    }
    TreeMap<Integer, Path> byModule = new TreeMap<>();
    for (Path program : programs) {
      Matcher matcher = lastMatch(MODULE, program.toString());
      Path other =
          matcher == null ? program : byModule.put(number(matcher.group(1), program), program);
      if (other != null) {
        throw unclear(
            String.format(
                "rank %d has several programs, and their names do not number them as"
                    + " 'module_0001' does: %s",
                rank, program));
      }
    }
    return byModule.values().stream().map(InputFile::of).collect(ImmutableList.toImmutableList());
  }

  /** Returns which of the numbers in the names differs, where exactly one does. */
  private static int differingNumber(ImmutableList<Path> found) {
    List<String> first = numbers(found.get(0));
    List<Integer> differing = new ArrayList<>();
    for (int i = 0; i < first.size(); i++) {
      for (Path path : found) {
        List<String> other = numbers(path);
        if (other.size() != first.size()) {
          throw unclear("the names do not say the ranks: " + found.get(0) + " and " + path);
        }
        if (!other.get(i).equals(first.get(i))) {
          differing.add(i);
          break;
        }
      }
    }
    if (differing.size() != 1) {
      throw unclear(
          String.format(
              "%d numbers differ between the names, must be one, the rank: %s and %s",
              differing.size(), found.get(0), found.get(found.size() - 1)));
    }
    return differing.get(0);
  }

  private static List<String> numbers(Path path) {
    String name = MODULE.matcher(path.toString()).replaceAll("");
    List<String> out = new ArrayList<>();
    Matcher matcher = NUMBER.matcher(name);
    while (matcher.find()) {
      out.add(matcher.group());
    }
    return out;
  }

  private static int number(String digits, Path path) {
    if (digits.length() > 8) {
      throw unclear("the number " + digits + " is too large for a rank: " + path);
    }
    return Integer.parseInt(digits);
  }

  private static @Nullable Matcher lastMatch(Pattern pattern, String text) {
    Matcher last = null;
    Matcher matcher = pattern.matcher(text);
    while (matcher.find()) {
      Matcher found = pattern.matcher(text);
      found.find(matcher.start());
      last = found;
    }
    return last;
  }

  private static DiagnosticException unclear(String message) {
    return DiagnosticException.error(UNCLEAR, message, Location.UNKNOWN);
  }

  /** Returns the number of ranks. */
  public int size() {
    return ranks.size();
  }
}
