package dev.lockstep.golden.arch;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableMap;
import dev.lockstep.testing.Checkout;
import dev.lockstep.tools.Main;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows below each of its commands is what the command prints. */
final class ReadmeTest {
  private static final String INDENT = "    ";
  private static final String PROMPT = INDENT + "$ ";

  @TempDir private static Path folder;

  @TestFactory
  Iterable<DynamicTest> commands_printWhatIsShown() throws IOException {
    Map<String, String> shown = commands();
    assertThat(shown).hasSizeGreaterThan(3);
    Path program = program();
    return shown.entrySet().stream()
        .map(
            entry ->
                DynamicTest.dynamicTest(
                    entry.getKey(),
                    () ->
                        assertThat(run(entry.getKey(), program))
                            .as("README.md is stale; replace what it shows by what is printed")
                            .isEqualTo(entry.getValue())))
        .collect(Collectors.toList());
  }

  private static ImmutableMap<String, String> commands() throws IOException {
    Map<String, String> out = new LinkedHashMap<>();
    String command = null;
    for (String line : Files.readAllLines(Checkout.root().resolve("README.md"))) {
      if (line.startsWith(PROMPT)) {
        command = line.substring(PROMPT.length());
        out.put(command, "");
      } else if (command != null && line.startsWith(INDENT)) {
        out.merge(command, line.substring(INDENT.length()) + "\n", String::concat);
      } else {
        command = null;
      }
    }
    return ImmutableMap.copyOf(out);
  }

  /** Returns a program that does what the launcher does, with the classes under test. */
  private static Path program() throws IOException {
    Path script = folder.resolve("lockstep");
    Files.writeString(
        script,
        String.format(
            "#!/bin/sh%nexec '%s/bin/java' -cp '%s' %s \"$@\"%n",
            System.getProperty("java.home"),
            System.getProperty("java.class.path"),
            Main.class.getName()));
    if (!script.toFile().setExecutable(true)) {
      throw new IOException("cannot make a script executable");
    }
    return script;
  }

  /** Returns {@code command} with the classes under test where a built Lockstep is named. */
  private static String here(String command, Path program) {
    return command
        .replace("./lockstep", program.toString())
        .replace(
            "java -cp .lockstep/lockstep.jar",
            String.format(
                "'%s/bin/java' -cp '%s'",
                System.getProperty("java.home"), System.getProperty("java.class.path")));
  }

  private static String run(String command, Path program) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder("sh", "-c", here(command, program))
            .directory(Checkout.root().toFile())
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return output.lines().map(line -> line.stripTrailing() + "\n").collect(Collectors.joining());
  }
}
