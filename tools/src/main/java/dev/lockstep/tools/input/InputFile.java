package dev.lockstep.tools.input;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A program that is named on the command line.
 *
 * @param name what diagnostics call it
 * @param path where it is, null for standard input
 */
public record InputFile(String name, @Nullable Path path) {
  /** Diagnostic code: the file is not there or cannot be read. */
  public static final String UNREADABLE = "input-unreadable";

  /** Returns standard input. */
  public static InputFile standardInput() {
    return new InputFile("<stdin>", null);
  }

  /** Returns {@code path} under the name that the user wrote. */
  public static InputFile of(Path path) {
    return new InputFile(path.toString(), path);
  }

  /**
   * Returns the content, which is remembered for a reproducer.
   *
   * @throws DiagnosticException when it cannot be read
   */
  public Source read(Session session) {
    try {
      byte[] bytes =
          path == null ? session.console().in().readAllBytes() : Files.readAllBytes(path);
      session.remember(name, bytes);
      if (path != null) {
        session.wasRead(path);
      }
      return Source.of(name, bytes);
    } catch (IOException e) {
      throw DiagnosticException.error(
          UNREADABLE, name + ": " + IoMessages.reason(e), Location.UNKNOWN);
    }
  }
}
