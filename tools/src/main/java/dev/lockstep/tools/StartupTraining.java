package dev.lockstep.tools;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs what users run, once, while the launcher records which classes that loads; the archive of
 * them makes later starts quicker. Prints nothing and never fails.
 */
public final class StartupTraining {
  private StartupTraining() {}

  /** Runs every command that stands here. */
  public static void main(String[] args) {
    run(List.of("--help"), "");
    run(List.of("pjrt"), "");
  }

  private static void run(List<String> arguments, String input) {
    PrintStream nowhere =
        new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            nowhere,
            nowhere,
            false);
    int ignored = CommandLineRunner.run(arguments, console);
  }
}
