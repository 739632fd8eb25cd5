package dev.lockstep.handshake.bench;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.grpc.AggregatorServer;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.simulate.Scripts;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** All ranks of a job as clients in this process, each with a stream of its own. */
final class LoadRanks implements AutoCloseable {
  private static final int RANKS_A_CONNECTION = 32;
  private static final int RANKS_A_HOST = 8;

  /** How the ranks reach the coordinator. */
  enum Way {
    /** Each on its own stream to it; 32 streams share a TCP connection. */
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

  LoadRanks(int ranks, Way way, int port, Transport transport) throws IOException {
    for (int rank = 0; rank < ranks; rank++) {
      switch (way) {
        case DIRECT -> {
          if (rank % RANKS_A_CONNECTION == 0) {
            channels.add(Channels.open("localhost:" + port, transport));
          }
        }
        case HOSTS -> {
          if (rank % RANKS_A_HOST == 0) {
            hosts.add(host(port, transport));
          }
          AggregatorServer host = hosts.get(hosts.size() - 1);
          clients.add(
              HandshakeClient.connect(options(rank, ranks), host, timer, unasked -> {}));
          continue;
        }
        case AGGREGATED -> {
          if (rank % RANKS_A_HOST == 0) {
            AggregatorServer host = host(port, transport);
            hosts.add(host);
            channels.add(Channels.open("localhost:" + host.port(), Transport.LOOPBACK));
          }
        }
      }
      clients.add(
          HandshakeClient.connect(
              options(rank, ranks), channels.get(channels.size() - 1), timer, unasked -> {}));
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

  private AggregatorServer host(int port, Transport transport) throws IOException {
    return AggregatorServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Transport.LOOPBACK,
        "localhost:" + port,
        transport);
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
    channels.forEach(ManagedChannel::shutdownNow);
    hosts.forEach(AggregatorServer::close);
    timer.shutdownNow();
  }
}
