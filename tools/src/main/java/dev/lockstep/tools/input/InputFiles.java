package dev.lockstep.tools.input;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import java.util.stream.Stream;

/** From words on the command line to the files that they mean. */
public final class InputFiles {
  /** Diagnostic code: a word means no file. */
  public static final String MISSING = "input-missing";

  /** Endings under which programs are looked for in folders; what a user names may have any. */
  private static final ImmutableSet<String> ENDINGS =
      ImmutableSet.of("mlir", "mlirbc", "stablehlo", "hlo", "pb", "hlotxt", "fx");

  /** How a program starts, after blanks and comments: asked of files called .txt in folders. */
  private static final Pattern PROGRAM_START =
      Pattern.compile(
          "(?:\\s|//[^\\n]*\\n|/\\*.*?\\*/)*"
              + "(?:HloModule|module|func|#|!|\"|ENTRY|%|class .*Module\\)|def forward).*",
          Pattern.DOTALL);

  private static final int HEAD = 4096;

  private InputFiles() {}

  /**
   * Returns the files that {@code words} mean, one word after the other: what is named again is
   * meant again, as by a rank that runs a program twice.
   *
   * @throws DiagnosticException when a word means no file
   */
  public static ImmutableList<InputFile> inOrder(List<String> words) {
    ImmutableList.Builder<InputFile> out = ImmutableList.builder();
    words.forEach(word -> out.addAll(collect(List.of(word))));
    return out.build();
  }

  /**
   * Returns the files that {@code words} mean, without repetition: {@code -} is standard input, a
   * folder is the programs below it sorted by path, a pattern the files that match it.
   *
   * @throws DiagnosticException when a word means no file
   */
  public static ImmutableList<InputFile> collect(List<String> words) {
    Set<InputFile> out = new LinkedHashSet<>();
    for (String word : words) {
      if (word.equals("-")) {
        out.add(InputFile.standardInput());
        continue;
      }
      ImmutableList.Builder<Path> meant = ImmutableList.builder();
      for (Path path : expand(word)) {
        if (Files.isDirectory(path)) {
          meant.addAll(programsIn(path, Integer.MAX_VALUE));
        } else {
          meant.add(path);
        }
      }
      ImmutableList<Path> files = meant.build();
      if (files.isEmpty()) {
        throw missing(noProgram(word));
      }
      files.forEach(file -> out.add(InputFile.of(file)));
    }
    return ImmutableList.copyOf(out);
  }

  /**
   * Returns the files and folders that {@code word} means: itself when it exists, else what matches
   * it as a pattern, sorted.
   *
   * @throws DiagnosticException when there are none
   */
  static ImmutableList<Path> expand(String word) {
    if (word.isEmpty()) {
      throw missing("an empty name means no file");
    }
    try {
      Path path = Path.of(word);
      if (Files.exists(path)) {
        return ImmutableList.of(path);
      }
      ImmutableList<Path> matches = isPattern(word) ? matches(word) : ImmutableList.of();
      if (matches.isEmpty()) {
        throw missing(isPattern(word) ? "no file matches " + word : noSuchFile(word));
      }
      return matches;
    } catch (InvalidPathException e) {
      throw missing("no file can be called " + word);
    } catch (PatternSyntaxException e) {
      throw missing(word + ": no such file, and no pattern: " + e.getDescription());
    }
  }

  /** Returns the message for a folder without programs. */
  static String noProgram(String folder) {
    return folder
        + " holds no program: no file in it ends with ."
        + String.join(", .", ENDINGS)
        + " or .txt";
  }

  /** Returns what to say of a name that no file has. */
  private static String noSuchFile(String word) {
    return word
        + ": no such file"
        + (word.indexOf('\uFFFD') < 0
            ? ""
            : ", as far as its name is UTF-8; name the folder or a pattern such as *.mlir");
  }

  private static DiagnosticException missing(String message) {
    return DiagnosticException.error(MISSING, message, Location.UNKNOWN);
  }

  private static boolean isPattern(String word) {
    return word.chars().anyMatch(c -> "*?[{".indexOf(c) >= 0);
  }

  private static ImmutableList<Path> matches(String pattern) {
    // The part before the first wildcard is a folder, from which the search starts.
    int wild = 0;
    while ("*?[{".indexOf(pattern.charAt(wild)) < 0) {
      wild++;
    }
    int slash = pattern.lastIndexOf('/', wild);
    Path start = Path.of(slash < 0 ? "" : slash == 0 ? "/" : pattern.substring(0, slash));
    if (!Files.isDirectory(start)) {
      return ImmutableList.of();
    }
    PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    int depth =
        pattern.contains("**")
            ? Integer.MAX_VALUE
            : (int) pattern.substring(slash + 1).chars().filter(c -> c == '/').count() + 1;
    try (Stream<Path> paths = Files.walk(start, depth)) {
      return paths.filter(matcher::matches).sorted().collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the programs at most {@code depth} folders below {@code folder}, sorted by path. */
  static ImmutableList<Path> programsIn(Path folder, int depth) {
    try (Stream<Path> paths = Files.walk(folder, depth)) {
      return paths
          .filter(Files::isRegularFile)
          .filter(InputFiles::isProgram)
          .sorted()
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the programs right in {@code folder}, and what {@code also} takes for one. */
  static ImmutableList<Path> filesIn(Path folder, Predicate<Path> also) {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths
          .filter(Files::isRegularFile)
          .filter(path -> isProgram(path) || also.test(path))
          .sorted()
          .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isProgram(Path file) {
    String name = file.getFileName().toString().toLowerCase(Locale.ROOT);
    if (name.startsWith(".")) {
      return false;
    }
    String ending = name.substring(name.lastIndexOf('.') + 1);
    if (ENDINGS.contains(ending)) {
      return true;
    }
    if (!ending.equals("txt")) {
      return false;
    }
    try (InputStream in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(HEAD), StandardCharsets.ISO_8859_1);
      return PROGRAM_START.matcher(head).matches();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
