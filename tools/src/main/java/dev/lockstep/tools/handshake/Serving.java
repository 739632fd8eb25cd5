package dev.lockstep.tools.handshake;

import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.AggregatorServer;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.ExitCode;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/** {@code handshake serve}: the coordinator, or the aggregator of a host, until it is stopped. */
public final class Serving {
  private Serving() {}

  /** Serves; returns when the process is told to end. */
  public static int run(Session session, HandshakeFlags flags) throws IOException {
    return flags.aggregates() ? aggregator(session, flags) : coordinator(session, flags);
  }

  private static int coordinator(Session session, HandshakeFlags flags) throws IOException {
    CoordinatorOptions usual = CoordinatorOptions.of(flags.job(), flags.world());
    CoordinatorOptions options =
        new CoordinatorOptions(
            flags.job(),
            flags.token(),
            flags.world(),
            flags.deadline(),
            usual.roundLimit(),
            usual.grace(),
            usual.silence(),
            usual.mostPending(),
            usual.mostDefinitions(),
            // Rounds of a coordinator that is started again must not have the numbers of the old.
            System.currentTimeMillis() << 16);
    withdraw(flags.portFile());
    Metrics metrics = new Metrics(session, flags.job());
    Runnable endPage = metrics.serve(flags.metrics());
    try (CoordinatorServer server =
        start(
            () ->
                CoordinatorServer.start(
                    flags.listen(), flags.transport(), flags.protection(), options, metrics))) {
      publish(session, flags.portFile(), server.port());
      session.say(
          "coordinator of job "
              + flags.job()
              + " with "
              + flags.world()
              + " ranks listens on port "
              + server.port());
      if (options.token().isEmpty() && !flags.asksForCertificates()) {
        session.say(
            "note: neither a token nor certificates of clients are asked for: whoever reaches the"
                + " port may be a rank");
      }
      server.join();
      return ExitCode.OK;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return ExitCode.OK;
    } finally {
      endPage.run();
    }
  }

  private static int aggregator(Session session, HandshakeFlags flags) throws IOException {
    withdraw(flags.portFile());
    Metrics metrics = new Metrics(session, flags.job());
    Runnable endPage = metrics.serve(flags.metrics());
    try (AggregatorServer server =
        start(
            () ->
                AggregatorServer.start(
                    flags.listen(),
                    flags.transport(),
                    flags.coordinator(),
                    flags.transport(),
                    flags.protection(),
                    metrics))) {
      publish(session, flags.portFile(), server.port());
      session.say("aggregator for " + flags.coordinator() + " listens on port " + server.port());
      server.join();
      return ExitCode.OK;
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      return ExitCode.OK;
    } finally {
      endPage.run();
    }
  }

  /** Something that opens a socket. */
  private interface Opening<T> {
    T open() throws IOException;
  }

  private static <T> T start(Opening<T> opening) {
    try {
      return opening.open();
    } catch (IOException taken) {
      Throwable cause = taken.getCause();
      String more =
          cause == null || cause instanceof IllegalArgumentException
              ? ""
              : ": " + cause.getMessage();
      String what = JoinFlags.reason(taken) + more;
      throw new EnvironmentException(
          "cannot listen: "
              + what
              + (what.contains("in use")
                  ? "; name another with --listen HOST:PORT, or port 0 for a free one, which"
                      + " --port-file FILE tells the ranks"
                  : ""));
    }
  }

  /** Removes what an earlier coordinator has written: nobody may read its port for this one's. */
  private static void withdraw(@Nullable Path file) {
    if (file != null) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException unwritable) {
        throw new EnvironmentException(
            "cannot remove the old " + file + ": " + IoMessages.reason(unwritable));
      }
    }
  }

  /** Writes the port at once and whole, so that who waits for the file never reads half of it. */
  private static void publish(Session session, @Nullable Path file, int port) throws IOException {
    session.report().put("port", port);
    if (file == null) {
      return;
    }
    Path absolute = file.toAbsolutePath();
    Path half = absolute.resolveSibling(absolute.getFileName() + ".part");
    try {
      Files.writeString(half, port + "\n");
      Files.move(
          half, absolute, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException unwritable) {
      throw new EnvironmentException(
          "cannot write the port to " + file + ": " + IoMessages.reason(unwritable));
    }
  }
}
