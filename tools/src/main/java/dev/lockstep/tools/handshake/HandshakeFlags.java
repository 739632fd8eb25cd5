package dev.lockstep.tools.handshake;

import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.launch.Launch;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.tools.EnvironmentException;
import dev.lockstep.tools.IoMessages;
import dev.lockstep.tools.UsageException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the verb handshake, and what the environment says where they are silent. */
public final class HandshakeFlags {
  @Option(names = "--job", paramLabel = "NAME", description = "The job's name; 'job' by default.")
  private String job = "job";

  @Option(
      names = "--rank",
      paramLabel = "R",
      description = "This process' rank; by default what the launcher put into the environment.")
  private @Nullable Integer rank;

  @Option(
      names = "--world",
      paramLabel = "N",
      description = "How many ranks the job has; by default from the environment.")
  private @Nullable Integer world;

  @Option(
      names = "--epoch",
      paramLabel = "E",
      description = "How often the job was restarted; by default from the environment, else 0.")
  private @Nullable Long epoch;

  @Option(
      names = "--stage",
      paramLabel = "STAGE",
      description = "When ranks ask: off, compile (default) or dispatch.")
  private String stage = "compile";

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Where to listen; 127.0.0.1:36423 by default, port 0 takes a free one.")
  private String listen = "127.0.0.1:36423";

  @Option(
      names = "--port-file",
      paramLabel = "FILE",
      description = "Write the port there once it is listened on.")
  private @Nullable Path portFile;

  @Option(
      names = "--coordinator",
      paramLabel = "HOST:PORT",
      description = "Where the coordinator, or the aggregator above, listens.")
  private @Nullable String coordinator;

  @Option(
      names = "--aggregate",
      paramLabel = "N",
      description = "Serve as the aggregator of N ranks of this host for --coordinator.")
  private @Nullable Integer aggregate;

  @Option(
      names = "--allow-plaintext",
      description = "Go without TLS also where the other side is not this machine.")
  private boolean plaintext;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "A file with the token that ranks must send.")
  private @Nullable Path tokenFile;

  @Option(names = "--tls-cert", paramLabel = "PEM", description = "This side's certificate chain.")
  private @Nullable Path certificate;

  @Option(names = "--tls-key", paramLabel = "PEM", description = "Its private key.")
  private @Nullable Path key;

  @Option(
      names = "--tls-ca",
      paramLabel = "PEM",
      description = "Who must have signed the other side's certificate.")
  private @Nullable Path authority;

  @Option(
      names = "--deadline",
      paramLabel = "SECONDS",
      description = "How long a round waits for a rank that shows no progress; 60 by default.")
  private double deadline = 60;

  @Option(
      names = "--metrics",
      paramLabel = "PORT",
      description = "Serve metrics for Prometheus at this port, path /metrics, of this machine.")
  private @Nullable Integer metrics;

  private @Nullable Launch launch;

  /** Refuses words that no action takes, whether or not this one asks for them. */
  public void check() {
    stage();
    deadline();
  }

  String job() {
    return job;
  }

  private Launch launch() {
    Launch known = launch;
    if (known == null) {
      try {
        known = Launch.of(System.getenv());
      } catch (IllegalArgumentException senseless) {
        throw new UsageException(String.valueOf(senseless.getMessage()));
      }
      launch = known;
    }
    return known;
  }

  int rank() {
    return of(rank, launch().rank(), "--rank R", "the rank of this process");
  }

  int world() {
    int ranks = of(world, launch().world(), "--world N", "how many ranks the job has");
    if (ranks < 1) {
      throw new UsageException("--world is " + ranks + ", must be at least 1");
    }
    return ranks;
  }

  private static int of(@Nullable Integer flag, OptionalInt environment, String name, String what) {
    if (flag != null) {
      return flag;
    }
    return environment.orElseThrow(
        () -> new UsageException(name + " is needed: neither it nor the environment says " + what));
  }

  long epoch() {
    return epoch != null ? epoch : launch().epoch().orElse(0);
  }

  Stage stage() {
    return switch (stage.toLowerCase(Locale.ROOT)) {
      case "off" -> Stage.OFF;
      case "compile" -> Stage.COMPILE;
      case "dispatch" -> Stage.DISPATCH;
      default ->
          throw new UsageException("--stage is '" + stage + "', must be off, compile or dispatch");
    };
  }

  InetSocketAddress listen() {
    int colon = listen.lastIndexOf(':');
    String host = colon < 0 ? listen : listen.substring(0, colon);
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    try {
      int port = Integer.parseInt(listen.substring(colon + 1));
      if (colon > 0 && port >= 0 && port < 1 << 16) {
        return new InetSocketAddress(host, port);
      }
    } catch (NumberFormatException none) {
      // Told below.
    }
    throw new UsageException(
        "--listen is '" + listen + "', must be HOST:PORT with a port from 0 to 65535");
  }

  String coordinator() {
    if (coordinator != null) {
      int port = -1;
      try {
        port = Integer.parseInt(coordinator.substring(coordinator.lastIndexOf(':') + 1));
      } catch (NumberFormatException none) {
        // Told below.
      }
      if (coordinator.lastIndexOf(':') <= 0 || port < 1 || port >= 1 << 16) {
        throw new UsageException(
            "--coordinator is '"
                + coordinator
                + "', must be HOST:PORT with a port from 1 to 65535");
      }
      return coordinator;
    }
    return launch()
        .host()
        .map(host -> (host.indexOf(':') >= 0 ? "[" + host + "]" : host) + ":36423")
        .orElseThrow(
            () ->
                new UsageException(
                    "--coordinator HOST:PORT is needed: neither it nor MASTER_ADDR says where the"
                        + " coordinator listens"));
  }

  boolean aggregates() {
    return aggregate != null;
  }

  Transport transport() {
    for (Path file : new @Nullable Path[] {certificate, key, authority}) {
      if (file != null && !Files.isReadable(file)) {
        throw new EnvironmentException("cannot read " + file);
      }
    }
    try {
      return new Transport(certificate, key, authority, plaintext);
    } catch (IllegalArgumentException half) {
      throw new UsageException("--tls-cert and --tls-key: " + half.getMessage());
    }
  }

  String token() {
    if (tokenFile == null) {
      return "";
    }
    try {
      return Files.readString(tokenFile).strip();
    } catch (IOException unreadable) {
      throw new EnvironmentException(
          "cannot read the token in " + tokenFile + ": " + IoMessages.reason(unreadable));
    }
  }

  java.time.Duration deadline() {
    if (!(deadline > 0 && deadline < 1e6)) {
      throw new UsageException("--deadline is " + deadline + ", must be a number of seconds");
    }
    return java.time.Duration.ofNanos((long) (deadline * 1e9));
  }

  @Nullable Path portFile() {
    return portFile;
  }

  OptionalInt metrics() {
    return metrics == null ? OptionalInt.empty() : OptionalInt.of(metrics);
  }
}
