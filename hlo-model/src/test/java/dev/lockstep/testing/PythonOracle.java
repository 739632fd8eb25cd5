package dev.lockstep.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A python with numpy and jax in it, against which results are checked.
 *
 * <p>It is the one that the environment variable {@code LOCKSTEP_PYTHON} names, else the one that
 * {@code .ci/run} installs into the checkout. A test that asks for it where it is absent is left
 * out and says so; it fails where {@code CI} is set, or where the variable names no file.
 */
public final class PythonOracle {
  private static final int MINUTES = 10;

  private final Path python;

  private PythonOracle(Path python) {
    this.python = python;
  }

  /** Returns the oracle, or ends the calling test as the class comment says. */
  public static PythonOracle require() {
    String named = System.getenv("LOCKSTEP_PYTHON");
    if (named != null && !named.isEmpty()) {
      if (!Files.isExecutable(Path.of(named))) {
        throw new AssertionError("LOCKSTEP_PYTHON names no program: " + named);
      }
      return new PythonOracle(Path.of(named));
    }
    Path installed = Checkout.root().resolve(".venv").resolve("bin").resolve("python");
    if (!Files.isExecutable(installed)) {
      Checkout.leaveOut("no python oracle: run .ci/run once, or set LOCKSTEP_PYTHON");
    }
    return new PythonOracle(installed);
  }

  /**
   * Runs {@code program} with {@code arguments} in {@code sys.argv[1:]} and returns what it
   * printed; fails the test with its error output when it fails.
   */
  public String run(String program, String... arguments) {
    try {
      Path script = Files.createTempFile("oracle", ".py");
      Path errors = Files.createTempFile("oracle", ".txt");
      try {
        Files.writeString(script, program);
        List<String> command = new ArrayList<>(List.of(python.toString(), script.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
        builder.environment().putIfAbsent("JAX_PLATFORMS", "cpu");
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
          process.destroyForcibly();
          throw new AssertionError("the python oracle did not end within " + MINUTES + " minutes");
        }
        if (process.exitValue() != 0) {
          throw new AssertionError("the python oracle failed:\n" + Files.readString(errors));
        }
        return output;
      } finally {
        Files.delete(script);
        Files.delete(errors);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while the python oracle ran", e);
    }
  }
}
