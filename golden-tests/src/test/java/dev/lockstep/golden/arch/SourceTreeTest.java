package dev.lockstep.golden.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Habits that only the sources show. */
final class SourceTreeTest {
  private static final int MAX_LINES = 400;

  private static final Pattern TODO = Pattern.compile("\\b(?:TODO|FIXME|XXX)\\b");
  private static final Pattern VAR =
      Pattern.compile("^\\s*(?:final )?var \\w+ (?:=|:)", Pattern.MULTILINE);

  @Test
  void files_holdOneIdeaEach() throws IOException {
    TreeMap<String, Long> tooLong = new TreeMap<>();
    Sources.all()
        .forEach(
            (path, text) -> {
              long lines = text.lines().count();
              if (lines > MAX_LINES) {
                tooLong.put(path.toString(), lines);
              }
            });
    assertThat(tooLong).as("files of more than %s lines: split them", MAX_LINES).isEmpty();
  }

  @Test
  void sources_holdNoUnfinishedWorkAndNoVar() throws IOException {
    Sources.all()
        .forEach(
            (path, text) -> {
              if (!path.endsWith("SourceTreeTest.java")) {
                assertThat(TODO.matcher(text).find()).as(path + " has unfinished work").isFalse();
                assertThat(VAR.matcher(text).find()).as(path + " uses var").isFalse();
              }
            });
  }
}
