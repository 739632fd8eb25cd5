package dev.lockstep.tools.handshake;

import dev.lockstep.handshake.grpc.Protection;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.tools.UsageException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The flags of the verb handshake, and what the environment says where they are silent. */
public final class HandshakeFlags extends JoinFlags {
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
      names = "--aggregate",
      paramLabel = "N",
      description = "Serve as the aggregator of N ranks of this host for --coordinator.")
  private @Nullable Integer aggregate;

  @Option(
      names = "--metrics",
      paramLabel = "PORT",
      description = "Serve metrics for Prometheus at this port, path /metrics, of this machine.")
  private @Nullable Integer metrics;

  @Option(
      names = "--tls-bind-ranks",
      description =
          "Let in only ranks that their certificates name: lockstep://JOB/rank/3, or /ranks/8-15.")
  private boolean boundRanks;

  /** Refuses words that no action takes, whether or not this one asks for them. */
  public void check() {
    stage();
    deadline();
    listen();
    metrics();
    if (aggregate != null && aggregate < 1) {
      throw new UsageException("--aggregate is " + aggregate + ", must be at least 1");
    }
  }

  Stage stage() {
    return stage(stage);
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

  boolean aggregates() {
    return aggregate != null;
  }

  @Nullable Path portFile() {
    return portFile;
  }

  Protection protection() {
    if (boundRanks && !asksForCertificates()) {
      throw new UsageException("--tls-bind-ranks needs --tls-ca, who has signed the certificates");
    }
    return boundRanks ? Protection.USUAL.withBoundRanks() : Protection.USUAL;
  }

  boolean asksForCertificates() {
    return transport().authority() != null;
  }

  OptionalInt metrics() {
    if (metrics == null) {
      return OptionalInt.empty();
    }
    if (metrics < 0 || metrics >= 1 << 16) {
      throw new UsageException("--metrics is " + metrics + ", must be a port from 0 to 65535");
    }
    return OptionalInt.of(metrics);
  }
}
