package dev.lockstep.testing;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * The corpus of programs that others wrote, which lies beside the checkout and not in it.
 *
 * <p>It is looked for where the environment variable {@code LOCKSTEP_CORPUS} says, else at {@code
 * ../shared/corpus} seen from the checkout. A test that asks for it where it is absent is left out
 * and says so; it fails where {@code CI} is set, or where the variable names a folder that is not
 * there.
 */
public final class CorpusFiles {
  private CorpusFiles() {}

  /** Returns the folder of the corpus. */
  public static Path root() {
    String named = System.getenv("LOCKSTEP_CORPUS");
    if (named != null && !named.isEmpty()) {
      Path folder = Path.of(named);
      if (!Files.isDirectory(folder)) {
        throw new AssertionError("LOCKSTEP_CORPUS names no folder: " + named);
      }
      return folder;
    }
    Path folder = Checkout.root().resolveSibling("shared").resolve("corpus");
    if (!Files.isDirectory(folder)) {
      Checkout.leaveOut("no corpus beside the checkout, and LOCKSTEP_CORPUS is not set");
    }
    return folder;
  }

  /** Returns one file or folder of the corpus; it must be there. */
  public static Path file(String relative) {
    Path file = root().resolve(relative);
    if (!Files.exists(file)) {
      throw new AssertionError("the corpus has no " + relative);
    }
    return file;
  }

  /**
   * Returns the files below {@code folder} whose names end with one of {@code suffixes}, sorted by
   * path; there is at least one.
   */
  public static ImmutableList<Path> files(String folder, String... suffixes) {
    ImmutableList<Path> found;
    try (Stream<Path> paths = Files.walk(file(folder))) {
      found =
          paths
              .filter(Files::isRegularFile)
              .filter(path -> Stream.of(suffixes).anyMatch(path.toString()::endsWith))
              .sorted()
              .collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (found.isEmpty()) {
      throw new AssertionError("the corpus has no such files in " + folder);
    }
    return found;
  }
}
