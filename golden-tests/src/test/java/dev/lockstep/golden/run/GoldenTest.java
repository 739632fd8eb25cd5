package dev.lockstep.golden.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.fail;

import dev.lockstep.golden.GoldenCase;
import dev.lockstep.golden.GoldenCase.Section;
import dev.lockstep.golden.GoldenFile;
import dev.lockstep.golden.GoldenFiles;
import dev.lockstep.golden.UnifiedDiff;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicNode;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Every case of every golden file. With {@code -Dgolden.bless=true}, expectations that differ are
 * rewritten; {@code -Dgolden.only=PART} takes the cases with PART in {@code suite/file/case}.
 */
final class GoldenTest {
  private static final boolean BLESS = Boolean.getBoolean("golden.bless");
  private static final String ONLY = System.getProperty("golden.only", "");

  @TestFactory
  Stream<DynamicNode> cases() {
    return GoldenFiles.all().stream()
        .filter(path -> path.toString().endsWith(".hlot"))
        .map(GoldenTest::container)
        .flatMap(List::stream);
  }

  private static List<DynamicNode> container(Path path) {
    List<DynamicNode> tests = new ArrayList<>();
    String name = GoldenFiles.name(path);
    GoldenFile file;
    try {
      file = GoldenFile.read(path);
    } catch (AssertionError e) {
      return List.of(
          DynamicTest.dynamicTest(
              name,
              () -> {
                throw e;
              }));
    }
    for (GoldenCase golden : file.cases()) {
      if ((name + "/" + golden.name()).contains(ONLY)) {
        URI place = URI.create(path.toUri() + "?line=" + golden.line());
        tests.add(DynamicTest.dynamicTest(golden.name(), place, () -> check(path, golden)));
      }
    }
    return tests.isEmpty()
        ? List.of()
        : List.of(DynamicContainer.dynamicContainer(name, path.toUri(), tests.stream()));
  }

  private static void check(Path path, GoldenCase golden) throws IOException {
    String name = GoldenFiles.name(path);
    String suite = name.substring(0, name.indexOf('/'));
    CaseRun run = CaseRun.of(golden, suite);
    String where = path.getFileName() + ":" + golden.line() + ": " + golden.name() + "\n";
    if (!run.faults().isEmpty()) {
      fail(where + String.join("\n", run.faults()) + "\n" + text(run.sections()));
    }
    String expected = text(golden.sections());
    String actual = text(run.sections());
    if (expected.equals(actual)) {
      return;
    }
    if (BLESS) {
      bless(path, golden, run.sections());
      return;
    }
    fail(
        where
            + UnifiedDiff.of(expected, actual)
            + "to take this as expected: ./bless "
            + name
            + "/"
            + golden.name());
  }

  private static void bless(Path path, GoldenCase golden, List<Section> sections)
      throws IOException {
    String ci = System.getenv("CI");
    if (ci != null && !ci.isEmpty()) {
      fail("refused to bless: CI is set");
    }
    // Read anew: other cases of the file may have been blessed meanwhile.
    Files.writeString(path, GoldenFile.read(path).withSections(golden, sections), UTF_8);
  }

  private static String text(List<Section> sections) {
    StringBuilder out = new StringBuilder();
    for (Section section : sections) {
      out.append("// ==== ").append(section.kind().name().toLowerCase(Locale.ROOT)).append('\n');
      out.append(section.text());
    }
    return out.toString();
  }
}
