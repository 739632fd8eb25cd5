package dev.lockstep.tools.job;

import dev.lockstep.tools.CommandLineRunner;
import dev.lockstep.tools.Console;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Runs commands in this process and keeps what the last one printed. */
final class CommandRun {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  int run(String... words) {
    out.reset();
    err.reset();
    Console console =
        new Console(
            InputStream.nullInputStream(),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            false);
    return CommandLineRunner.run(List.of(words), console);
  }

  String out() {
    return out.toString(StandardCharsets.UTF_8);
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }
}
