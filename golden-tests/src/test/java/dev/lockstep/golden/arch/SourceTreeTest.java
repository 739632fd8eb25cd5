package dev.lockstep.golden.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.testing.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Habits that only the sources show. */
final class SourceTreeTest {
  private static final int MAX_LINES = 400;

  private static final Pattern TODO = Pattern.compile("\\b(?:TODO|FIXME|XXX)\\b");
  private static final Pattern VAR =
      Pattern.compile("^\\s*(?:final )?var \\w+ (?:=|:)", Pattern.MULTILINE);

  private static ImmutableList<Path> sources() throws IOException {
    Path root = Checkout.root();
    ImmutableList.Builder<Path> out = ImmutableList.builder();
    try (Stream<Path> modules = Files.list(root)) {
      for (Path module : modules.sorted().toList()) {
        Path folder = module.resolve("src");
        if (Files.isDirectory(folder)) {
          try (Stream<Path> paths = Files.walk(folder)) {
            paths.filter(path -> path.toString().endsWith(".java")).sorted().forEach(out::add);
          }
        }
      }
    }
    return out.build();
  }

  private static String name(Path path) {
    return Checkout.root().relativize(path).toString();
  }

  @Test
  void files_holdOneIdeaEach() throws IOException {
    TreeMap<String, Integer> tooLong = new TreeMap<>();
    for (Path path : sources()) {
      int lines = Files.readAllLines(path).size();
      if (lines > MAX_LINES) {
        tooLong.put(name(path), lines);
      }
    }
    assertThat(tooLong).as("files of more than %s lines: split them", MAX_LINES).isEmpty();
  }

  @Test
  void sources_holdNoUnfinishedWorkAndNoVar() throws IOException {
    for (Path path : sources()) {
      if (path.endsWith("SourceTreeTest.java")) {
        continue;
      }
      String text = Files.readString(path);
      assertThat(TODO.matcher(text).find()).as(name(path) + " has unfinished work").isFalse();
      assertThat(VAR.matcher(text).find()).as(name(path) + " uses var").isFalse();
    }
  }
}
