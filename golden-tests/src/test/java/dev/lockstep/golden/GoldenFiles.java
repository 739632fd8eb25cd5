package dev.lockstep.golden;

import com.google.common.collect.ImmutableList;
import dev.lockstep.testing.Checkout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The golden files of the checkout, where bless can write to them. */
public final class GoldenFiles {
  private GoldenFiles() {}

  /** Returns the folder that holds the suites. */
  public static Path root() {
    return Checkout.root().resolve("golden-tests/src/test/resources/golden");
  }

  /** Returns all files, sorted by path. */
  public static ImmutableList<Path> all() {
    return under(root());
  }

  /** Returns the files of one suite, {@code passes}, sorted by path. */
  public static ImmutableList<Path> suite(String suite) {
    return under(root().resolve(suite));
  }

  private static ImmutableList<Path> under(Path folder) {
    if (!Files.isDirectory(folder)) {
      return ImmutableList.of();
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isRegularFile).sorted().collect(ImmutableList.toImmutableList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns {@code passes/dce}, what a golden file is called in messages and patterns. */
  public static String name(Path file) {
    String relative = root().relativize(file).toString().replace('\\', '/');
    return relative.endsWith(".hlot") ? relative.substring(0, relative.length() - 5) : relative;
  }
}
