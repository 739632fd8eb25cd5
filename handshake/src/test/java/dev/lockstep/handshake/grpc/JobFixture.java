package dev.lockstep.handshake.grpc;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.simulate.Scripts;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A coordinator on a free port of this machine and clients of it, over real sockets. */
final class JobFixture implements AutoCloseable {
  static final Hello.Versions VERSIONS = new Hello.Versions(1, "lockstep-fp1", "test", "");

  CoordinatorServer server;
  final int world;
  final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final Transport transport;
  private final CoordinatorOptions options;
  private final CoordinatorListener listener;
  private final List<AutoCloseable> opened = new ArrayList<>();

  JobFixture(int world, Transport transport, CoordinatorOptions options) throws IOException {
    this(world, transport, options, CoordinatorListener.NONE);
  }

  JobFixture(
      int world, Transport transport, CoordinatorOptions options, CoordinatorListener listener)
      throws IOException {
    this.world = world;
    this.transport = transport;
    this.options = options;
    this.listener = listener;
    this.server = start(0);
  }

  private CoordinatorServer start(int port) throws IOException {
    return CoordinatorServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        transport,
        options,
        listener);
  }

  /** Ends the coordinator and starts another, which knows nothing, on the same port. */
  void restart() throws IOException, InterruptedException {
    int port = server.port();
    server.close();
    server.join();
    server = start(port);
  }

  static JobFixture plain(int world) throws IOException {
    return new JobFixture(world, Transport.LOOPBACK, options(world));
  }

  static CoordinatorOptions options(int world) {
    CoordinatorOptions usual = CoordinatorOptions.of("job", world);
    return new CoordinatorOptions(
        "job",
        "secret",
        world,
        Duration.ofMillis(1500),
        usual.roundLimit(),
        Duration.ofMillis(300),
        Duration.ofSeconds(3),
        usual.mostPending(),
        usual.mostDefinitions(),
        1);
  }

  static ClientOptions client(int rank, int world, Stage stage) {
    return new ClientOptions(
        "job",
        "secret",
        0,
        rank,
        world,
        1000L + rank,
        stage,
        VERSIONS,
        Duration.ofMillis(500),
        Duration.ofSeconds(5),
        Duration.ofMillis(50));
  }

  HandshakeClient join(ClientOptions options, int port, Transport transport) throws IOException {
    return join(options, port, transport, timer);
  }

  HandshakeClient join(
      ClientOptions options, int port, Transport transport, ScheduledExecutorService timer)
      throws IOException {
    ManagedChannel channel = Channels.open("localhost:" + port, transport);
    HandshakeClient client = HandshakeClient.connect(options, channel, timer, unasked -> {});
    opened.add(channel::shutdownNow);
    opened.add(client);
    return client;
  }

  HandshakeClient join(int rank, Stage stage) throws IOException {
    return join(client(rank, world, stage), server.port(), Transport.LOOPBACK);
  }

  static Program program(String literals, int world, int calls) {
    RankList all = RankList.world(world);
    ImmutableList.Builder<Scripts.Call> list = ImmutableList.builder();
    ImmutableList.Builder<String> regions = ImmutableList.builder();
    regions.add("");
    for (int call = 0; call < calls; call++) {
      list.add(new Scripts.Call(all, "all_reduce f32[4]"));
      regions.add("");
    }
    return Scripts.program("step", all, list.build(), regions.build(), literals);
  }

  static Verdict await(CompletableFuture<Verdict> future) {
    try {
      return future.get(20, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException late) {
      throw new AssertionError("no verdict", late);
    }
  }

  @Override
  public void close() {
    for (int i = opened.size() - 1; i >= 0; i--) {
      try {
        opened.get(i).close();
      } catch (Exception closing) {
        throw new AssertionError(closing);
      }
    }
    server.close();
    timer.shutdownNow();
  }
}
