package dev.lockstep.handshake.bench;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.grpc.AggregatorServer;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.grpc.Protection;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.simulate.Scripts;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * All ranks of a job as clients in this process. Up to 32 streams to the coordinator share a TCP
 * connection; {@code -Dload.streams=1} gives each its own.
 */
final class LoadRanks implements AutoCloseable {
  private static final int STREAMS_A_CONNECTION = Integer.getInteger("load.streams", 32);
  private static final int RANKS_A_HOST = 8;

  /** How the ranks reach the coordinator. */
  enum Way {
    /** Each on its own stream. */
    DIRECT,
    /** Those of a host of 8 in one process, which speaks for them on one stream. */
    HOSTS,
    /** Each on its own stream over TCP to the aggregator of its host of 8; all of it here. */
    AGGREGATED
  }

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final List<HandshakeClient> clients = new ArrayList<>();
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<AggregatorServer> hosts = new ArrayList<>();
  private final Program program;
  private @Nullable ManagedChannel upward;

  LoadRanks(int ranks, Way way, int port, Transport transport) throws IOException {
    for (int rank = 0; rank < ranks; rank++) {
      boolean first = rank % RANKS_A_HOST == 0;
      if (first && way != Way.DIRECT) {
        hosts.add(host(upward(rank / RANKS_A_HOST, port, transport)));
      }
      clients.add(
          switch (way) {
            case DIRECT -> connect(rank, ranks, upward(rank, port, transport));
            case HOSTS ->
                HandshakeClient.connect(
                    options(rank, ranks),
                    hosts.get(hosts.size() - 1),
                    timer,
                    unasked -> {},
                    Runnable::run);
            case AGGREGATED -> {
              if (first) {
                int aggregator = hosts.get(hosts.size() - 1).port();
                channels.add(Channels.open("localhost:" + aggregator, Transport.LOOPBACK));
              }
              yield connect(rank, ranks, channels.get(channels.size() - 1));
            }
          });
    }
    RankList all = RankList.world(ranks);
    program =
        Scripts.program(
            "step",
            all,
            ImmutableList.of(
                new Scripts.Call(all, "all_reduce"), new Scripts.Call(all, "all_gather")),
            ImmutableList.of("", "", ""),
            "");
  }

  /** Returns the connection for the {@code stream}-th stream to the coordinator. */
  private Channel upward(int stream, int port, Transport transport) throws IOException {
    if (stream % STREAMS_A_CONNECTION == 0) {
      upward = Channels.open("localhost:" + port, transport);
      channels.add(upward);
    }
    return Objects.requireNonNull(upward);
  }

  private HandshakeClient connect(int rank, int ranks, Channel channel) {
    return HandshakeClient.connect(
        options(rank, ranks), channel, timer, unasked -> {}, Runnable::run);
  }

  private static AggregatorServer host(Channel upward) throws IOException {
    return AggregatorServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Transport.LOOPBACK,
        upward,
        Protection.USUAL,
        CoordinatorListener.NONE);
  }

  private static ClientOptions options(int rank, int ranks) {
    return ClientOptions.of(
        "load",
        "",
        0,
        rank,
        ranks,
        rank + 1,
        Stage.DISPATCH,
        new Hello.Versions(1, "lockstep-fp1", "bench", ""));
  }

  /** All ranks ask, and wait until all have the verdict. */
  void round() throws InterruptedException {
    CountDownLatch left = new CountDownLatch(clients.size());
    for (HandshakeClient client : clients) {
      @SuppressWarnings("unused")
      Object counted =
          client
              .run(program)
              .thenAccept(
                  verdict -> {
                    if (verdict.kind() != VerdictKind.FAT) {
                      System.err.println(verdict);
                      System.exit(1);
                    }
                    left.countDown();
                  });
    }
    if (!left.await(120, TimeUnit.SECONDS)) {
      throw new IllegalStateException(left.getCount() + " ranks have no verdict");
    }
  }

  @Override
  public void close() {
    clients.forEach(HandshakeClient::close);
    hosts.forEach(AggregatorServer::close);
    channels.forEach(ManagedChannel::shutdownNow);
    timer.shutdownNow();
  }
}
