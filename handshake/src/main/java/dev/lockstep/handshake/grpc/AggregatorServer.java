package dev.lockstep.handshake.grpc;

import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.relay.ForwardingRelay;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetSocketAddress;

/** An aggregator that listens on a TCP port; ranks cannot tell it from a coordinator. */
public final class AggregatorServer implements AutoCloseable {
  private final CoordinatorServer server;
  private final Aggregator service;
  private final Runnable disconnect;

  private AggregatorServer(CoordinatorServer server, Aggregator service, Runnable disconnect) {
    this.server = server;
    this.service = service;
    this.disconnect = disconnect;
  }

  /**
   * Starts an aggregator with the usual protection against strangers.
   *
   * @param address where its ranks connect
   * @param transport how they do
   * @param coordinator {@code host:port} of the coordinator, or of another aggregator
   * @param upward how that is connected to
   * @throws IOException as {@link CoordinatorServer#start} and {@link Channels#open}
   */
  public static AggregatorServer start(
      InetSocketAddress address, Transport transport, String coordinator, Transport upward)
      throws IOException {
    return start(
        address, transport, coordinator, upward, Protection.USUAL, CoordinatorListener.NONE);
  }

  /**
   * Starts an aggregator.
   *
   * @param listener is told of peers that were turned away and of messages that were dropped; may
   *     be called from any thread
   * @throws IOException as above
   */
  public static AggregatorServer start(
      InetSocketAddress address,
      Transport transport,
      String coordinator,
      Transport upward,
      Protection protection,
      CoordinatorListener listener)
      throws IOException {
    ManagedChannel channel = Channels.open(coordinator, upward);
    try {
      return start(address, transport, channel, channel::shutdownNow, protection, listener);
    } catch (IOException taken) {
      channel.shutdownNow();
      throw taken;
    }
  }

  /**
   * Starts an aggregator that shares a connection upwards with others of this process.
   *
   * @param upward not closed with the aggregator
   * @throws IOException as above
   */
  public static AggregatorServer start(
      InetSocketAddress address,
      Transport transport,
      Channel upward,
      Protection protection,
      CoordinatorListener listener)
      throws IOException {
    return start(address, transport, upward, () -> {}, protection, listener);
  }

  private static AggregatorServer start(
      InetSocketAddress address,
      Transport transport,
      Channel upward,
      Runnable disconnect,
      Protection protection,
      CoordinatorListener listener)
      throws IOException {
    Doorkeeper doors = new Doorkeeper(protection, listener);
    Aggregator service = new Aggregator(upward, protection, doors, listener);
    CoordinatorServer server =
        CoordinatorServer.listen(
            address,
            transport,
            protection,
            doors,
            service,
            new ForwardingRelay(
                upward,
                () -> CoordinatorServer.guest(Peer.current(), protection, doors, listener)));
    server.every(250, service::sweep);
    return new AggregatorServer(server, service, disconnect);
  }

  Aggregator service() {
    return service;
  }

  /** The port that is listened on. */
  public int port() {
    return server.port();
  }

  /** Waits until the server is closed. */
  public void join() throws InterruptedException {
    server.join();
  }

  /** Stops listening and closes all streams. */
  @Override
  public void close() {
    server.close();
    service.close();
    disconnect.run();
  }
}
