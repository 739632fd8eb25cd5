package dev.lockstep.tools;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs commands in this process and keeps what the last one printed. */
public final class CommandRun {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Runs a command with nothing on its standard input, and returns its exit code. */
  public int run(String... words) {
    return runWith("", words);
  }

  /** Runs a command with {@code input} on its standard input, and returns its exit code. */
  public int runWith(String input, String... words) {
    out.reset();
    err.reset();
    Console console =
        new Console(
            new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false);
    return CommandLineRunner.run(List.of(words), console);
  }

  /** Returns what the last command printed on standard output. */
  public String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  /** Returns what the last command printed on standard error. */
  public String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
