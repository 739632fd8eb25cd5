package dev.lockstep.golden.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testing.Checkout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The codes of diagnostics in the sources, and the list of them for users. */
final class DiagnosticCodesTest {
  private static final String CODE = "[a-z][a-z0-9]*(?:-[a-z0-9]+)*";

  private static final Pattern CONSTANT =
      Pattern.compile("static final String (\\w+)\\s*=\\s*\"(" + CODE + ")\";");

  /** A diagnostic is made: its code is written there, or is a constant of this or another class. */
  private static final Pattern MADE =
      Pattern.compile(
          "\\b(?:error|warning|refusal|differ|Diagnostic)\\(\\s*(?:Severity\\.\\w+,\\s*)?"
              + "(?:\"("
              + CODE
              + ")\"|(?:(\\w+)\\.)?([A-Z_]+)),\\s");

  private static final Pattern LISTED =
      Pattern.compile("^\\| `(" + CODE + ")` \\| \\S", Pattern.MULTILINE);

  private static String className(Path file) {
    String name = file.getFileName().toString();
    return name.substring(0, name.length() - ".java".length());
  }

  private static Set<String> made(Map<Path, String> sources) {
    Map<String, String> constants = new HashMap<>();
    sources.forEach(
        (file, text) ->
            CONSTANT
                .matcher(text)
                .results()
                .forEach(it -> constants.put(className(file) + "." + it.group(1), it.group(2))));
    Set<String> out = new TreeSet<>();
    sources.forEach(
        (file, text) -> {
          for (MatchResult it : MADE.matcher(text).results().toList()) {
            String holder = it.group(2) == null ? className(file) : it.group(2);
            String code =
                it.group(1) != null ? it.group(1) : constants.get(holder + "." + it.group(3));
            if (code != null) {
              out.add(code);
            }
          }
        });
    return out;
  }

  @Test
  void list_holdsEveryCodeAndNoOther() throws IOException {
    Map<Path, String> sources = Sources.main();
    Set<String> listed = new TreeSet<>();
    String list = Files.readString(Checkout.root().resolve("docs/diagnostics.md"));
    LISTED.matcher(list).results().forEach(it -> assertThat(listed.add(it.group(1))).isTrue());

    assertThat(listed).as("add a line to docs/diagnostics.md").containsAll(made(sources));
    String all = String.join("\n", sources.values());
    assertThat(listed)
        .as("codes of docs/diagnostics.md that no source names")
        .allMatch(code -> all.contains("\"" + code + "\""));
  }
}
