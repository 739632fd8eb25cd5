package dev.lockstep.tools.job;

import com.google.common.collect.ImmutableList;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.IoMessages;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The process of one rank, as the one that has started it sees it. */
final class RankChild {
  /** What processes that were ended by a signal give is above this. */
  private static final int SIGNALS = 128;

  private final int rank;
  private final ImmutableList<String> words;
  private final Path report;
  private final Path errors;
  private @Nullable Process process;
  private boolean stopped;

  RankChild(int rank, Path folder, ImmutableList<String> words) {
    this.rank = rank;
    this.words = words;
    this.report = folder.resolve("rank" + rank + ".values");
    this.errors = folder.resolve("rank" + rank + ".stderr");
  }

  int rank() {
    return rank;
  }

  Path report() {
    return report;
  }

  /** Starts it; it ends by itself when this process does, since its standard input is closed. */
  void start() {
    List<String> command = new ArrayList<>(words);
    command.add("--report");
    command.add(report.toString());
    try {
      process =
          ThisJava.lockstep(command)
              .redirectInput(ProcessBuilder.Redirect.PIPE)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(errors.toFile())
              .start();
    } catch (IOException e) {
      throw new EnvironmentException("cannot start rank " + rank + ": " + IoMessages.reason(e));
    }
  }

  boolean isAlive() {
    Process started = process;
    return started != null && started.isAlive();
  }

  /** Ends it now, unless it has ended. */
  void kill() {
    Process started = process;
    if (started != null && started.isAlive()) {
      stopped = true;
      started.destroyForcibly();
      try {
        started.waitFor();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Returns its exit code; only once it has ended. */
  int exit() {
    Process started = process;
    return started == null ? ExitCode.PEER : wasKilled() ? ExitCode.PEER : started.exitValue();
  }

  /** Returns whether somebody has ended it. */
  boolean wasKilled() {
    Process started = process;
    return stopped || started != null && !started.isAlive() && started.exitValue() > SIGNALS;
  }

  /** Returns what it has said to people. */
  String said() throws IOException {
    String text = Files.exists(errors) ? Files.readString(errors, StandardCharsets.UTF_8) : "";
    Process started = process;
    if (stopped) {
      return text + "lockstep: it was stopped, since another rank could not go on";
    }
    return wasKilled() && started != null
        ? text + "lockstep: it was killed by signal " + (started.exitValue() - SIGNALS)
        : text;
  }
}
