package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.relay.Guest;
import dev.lockstep.handshake.relay.RelayOptions;
import dev.lockstep.handshake.relay.RelayService;
import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.health.v1.HealthCheckResponse.ServingStatus;
import io.grpc.netty.shaded.io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.ClientAuth;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.protobuf.services.HealthStatusManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/**
 * A coordinator that listens on a TCP port, with a relay for ranks that run together and the
 * standard health check beside it.
 *
 * <p>Without TLS it listens on the loopback addresses only, unless {@link Transport#plaintext} says
 * otherwise.
 */
public final class CoordinatorServer implements AutoCloseable {
  /** The largest message that is read; a larger one ends its stream. */
  static final int LARGEST_MESSAGE = 4 << 20;

  private static final int LARGEST_HEADERS = 16 << 10;

  private final Server server;
  private final List<Runnable> endTicking = new CopyOnWriteArrayList<>();

  private CoordinatorServer(Server server) {
    this.server = server;
  }

  /**
   * Starts a coordinator with the usual protection against strangers.
   *
   * @param address where to listen; port 0 takes a free one
   * @throws IOException if the port is taken, the address is not this machine's, the certificate
   *     cannot be read, or TLS is absent where it is needed
   */
  public static CoordinatorServer start(
      InetSocketAddress address,
      Transport transport,
      CoordinatorOptions options,
      CoordinatorListener listener)
      throws IOException {
    return start(address, transport, Protection.USUAL, options, listener);
  }

  /**
   * Starts a coordinator.
   *
   * @param listener may be called from any thread
   * @throws IOException as above, or if certificates must name ranks and none are asked for
   */
  public static CoordinatorServer start(
      InetSocketAddress address,
      Transport transport,
      Protection protection,
      CoordinatorOptions options,
      CoordinatorListener listener)
      throws IOException {
    Doorkeeper doors = new Doorkeeper(protection, listener);
    CoordinatorService service = new CoordinatorService(options, protection, doors, listener);
    RelayService relay =
        new RelayService(
            new RelayOptions(options.job(), options.token(), options.world(), options.deadline()),
            () -> guest(Peer.current(), protection, doors, listener));
    CoordinatorServer server = listen(address, transport, protection, doors, service, relay);
    server.every(
        20,
        () -> {
          service.tick();
          relay.tick();
        });
    return server;
  }

  static Guest guest(
      Peer peer, Protection protection, Doorkeeper doors, CoordinatorListener listener) {
    return new Guest() {
      @Override
      public String refusal(String job, int rank) {
        return peer.refusal(job, rank, protection.boundRanks());
      }

      @Override
      public void refused(String why) {
        listener.turnedAway(peer.toString(), "RELAY", why);
      }

      @Override
      public void admitted() {
        doors.admit(peer.address());
      }
    };
  }

  static CoordinatorServer listen(
      InetSocketAddress address,
      Transport transport,
      Protection protection,
      Doorkeeper doors,
      BindableService... services)
      throws IOException {
    if (address.isUnresolved()) {
      throw new IOException("the address " + address.getHostString() + " is not known");
    }
    if (!transport.tls() && !transport.plaintext() && !address.getAddress().isLoopbackAddress()) {
      throw new IOException(
          "without TLS the coordinator listens on loopback addresses only, not on "
              + address.getHostString()
              + ": give it a certificate, or allow plain text");
    }
    if (protection.boundRanks() && transport.authority() == null) {
      throw new IOException("certificates of ranks are asked for only with an authority for them");
    }
    HealthStatusManager health = new HealthStatusManager();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(address)
            .bossEventLoopGroup(Loops.group())
            .workerEventLoopGroup(Loops.group())
            .channelFactory(Loops.listening(doors))
            .directExecutor()
            .intercept(Peer.interceptor())
            .addStreamTracerFactory(doors)
            .maxInboundMessageSize(LARGEST_MESSAGE)
            .maxInboundMetadataSize(LARGEST_HEADERS)
            .maxConcurrentCallsPerConnection(1 << 16)
            // The doorkeeper is quicker, and says so in the log.
            .handshakeTimeout(2 * protection.greeting().toMillis(), TimeUnit.MILLISECONDS)
            .maxConnectionIdle(protection.idle().toMillis(), TimeUnit.MILLISECONDS)
            .keepAliveTime(20, TimeUnit.SECONDS)
            .keepAliveTimeout(10, TimeUnit.SECONDS)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .addService(health.getHealthService());
    for (BindableService service : services) {
      builder.addService(service);
    }
    if (transport.tls()) {
      if (transport.certificate() == null || transport.key() == null) {
        throw new IOException("a coordinator with TLS needs a certificate and its key");
      }
      try {
        SslContextBuilder ssl =
            GrpcSslContexts.forServer(transport.certificate().toFile(), transport.key().toFile());
        if (transport.authority() != null) {
          ssl.trustManager(transport.authority().toFile()).clientAuth(ClientAuth.REQUIRE);
        }
        builder.sslContext(ssl.build());
      } catch (IllegalArgumentException wrong) {
        throw Transport.unusable(wrong);
      }
    }
    Server server = builder.build().start();
    health.setStatus("", ServingStatus.SERVING);
    health.setStatus("lockstep.handshake.v1.Handshake", ServingStatus.SERVING);
    CoordinatorServer listening = new CoordinatorServer(server);
    listening.every(100, doors::tick);
    return listening;
  }

  /** Does something again and again until the server is closed. */
  void every(long millis, Runnable what) {
    endTicking.add(Loops.every(millis, what));
  }

  /** The port that is listened on. */
  public int port() {
    return server.getPort();
  }

  /** Waits until the server is closed. */
  public void join() throws InterruptedException {
    server.awaitTermination();
  }

  /** Stops listening and closes all streams. May be called again. */
  @Override
  public void close() {
    endTicking.forEach(Runnable::run);
    server.shutdownNow();
  }
}
