package dev.lockstep.handshake.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.AggregatorServer;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.Transport;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Ranks that send each other parcels over real sockets. */
final class RelaySocketsTest {
  private static final int WORLD = 3;

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<AggregatorServer> hosts = new ArrayList<>();
  private final Queue<String> turnedAway = new ConcurrentLinkedQueue<>();
  private CoordinatorServer server;

  @BeforeEach
  void start() throws IOException {
    server =
        CoordinatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Transport.LOOPBACK,
            CoordinatorOptions.of("job", WORLD),
            new CoordinatorListener() {
              @Override
              public void turnedAway(String peer, String code, String why) {
                turnedAway.add(code + ": " + why);
              }
            });
  }

  @AfterEach
  void stop() {
    channels.forEach(ManagedChannel::shutdownNow);
    hosts.forEach(AggregatorServer::close);
    server.close();
    timer.shutdownNow();
  }

  private RelayClient join(int rank) throws IOException {
    return join(rank, "");
  }

  private RelayClient join(int rank, String token) throws IOException {
    ManagedChannel channel = Channels.open("localhost:" + server.port(), Transport.LOOPBACK);
    channels.add(channel);
    return RelayClient.join(channel, new RelayClient.Joining("job", token, 0, rank, WORLD), timer);
  }

  @Test
  void parcels_ofAllSizes_arriveOnceAndInOrder() throws IOException {
    int[] sizes = {0, 1, 1000, 1 << 20, (1 << 20) + 1, 9 << 20};
    SplittableRandom random = new SplittableRandom(1);
    List<byte[]> sent = new ArrayList<>();
    for (int size : sizes) {
      byte[] bytes = new byte[size];
      random.nextBytes(bytes);
      sent.add(bytes);
    }
    RelayClient first = join(0);
    // Ranks 1 and 2 come later: rank 0 rests until they are there.
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(
            () -> sent.forEach(bytes -> first.send(ImmutableIntArray.of(1, 2), bytes)));
    for (int rank = 1; rank < WORLD; rank++) {
      join(rank);
    }
    sending.join();
    first.close();
  }

  @Test
  void receivers_getWhatWasSent() throws IOException {
    List<RelayClient> clients = List.of(join(0), join(1), join(2));
    byte[] large = new byte[5 << 20];
    new SplittableRandom(2).nextBytes(large);
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(
            () -> {
              clients.get(0).send(ImmutableIntArray.of(1, 2), new byte[] {7});
              clients.get(0).send(ImmutableIntArray.of(2, 1), large);
              clients.get(0).send(ImmutableIntArray.of(1, 2), new byte[0]);
            });
    for (RelayClient client : clients.subList(1, WORLD)) {
      assertThat(client.receive("test").bytes()).containsExactly(7);
      assertThat(client.receive("test").bytes()).isEqualTo(large);
      assertThat(client.receive("test").bytes()).isEmpty();
      client.close();
    }
    sending.join();
  }

  @Test
  void aBrokenConnection_endsTheOthers() throws IOException {
    RelayClient stays = join(0);
    RelayClient goes = join(1);
    CompletableFuture<String> told = CompletableFuture.supplyAsync(() -> failure(stays));
    RelayClient third = join(2);
    third.send(ImmutableIntArray.of(1), new byte[] {1});
    assertThat(goes.receive("test").bytes()).containsExactly(1);
    channels.get(1).shutdownNow();
    assertThat(told.join()).isEqualTo("rank 1 is lost: its connection broke");
  }

  @Test
  void ranksThatAllWait_areTold() throws IOException {
    List<CompletableFuture<String>> told = new ArrayList<>();
    for (int rank = 0; rank < WORLD; rank++) {
      RelayClient client = join(rank);
      told.add(CompletableFuture.supplyAsync(() -> failure(client)));
    }
    for (CompletableFuture<String> each : told) {
      assertThat(each.join())
          .isEqualTo("rank 0 waits in test\nrank 1 waits in test\nrank 2 waits in test");
    }
  }

  @Test
  void aWrongToken_isRefused_andHurtsNobody() throws IOException {
    RelayClient stranger = join(1, "guessed");
    assertThat(failure(stranger)).isEqualTo("the token is not this job's");
    assertThat(turnedAway).containsExactly("RELAY: the token is not this job's");
    RelayClient right = join(1);
    RelayClient other = join(0);
    other.send(ImmutableIntArray.of(1), new byte[] {3});
    assertThat(right.receive("test").bytes()).containsExactly(3);
  }

  private AggregatorServer aggregator() throws IOException {
    AggregatorServer host =
        AggregatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Transport.LOOPBACK,
            "localhost:" + server.port(),
            Transport.LOOPBACK);
    hosts.add(host);
    return host;
  }

  private RelayClient join(AggregatorServer host, int rank, String token) throws IOException {
    ManagedChannel channel = Channels.open("localhost:" + host.port(), Transport.LOOPBACK);
    channels.add(channel);
    return RelayClient.join(channel, new RelayClient.Joining("job", token, 0, rank, WORLD), timer);
  }

  @Test
  void throughAnAggregator_parcelsArriveAsDirectly() throws IOException {
    AggregatorServer host = aggregator();
    RelayClient behind = join(host, 0, "");
    RelayClient beside = join(host, 1, "");
    RelayClient direct = join(2);
    byte[] large = new byte[9 << 20];
    new SplittableRandom(3).nextBytes(large);
    CompletableFuture<Void> sending =
        CompletableFuture.runAsync(
            () -> {
              behind.send(ImmutableIntArray.of(1, 2), large);
              behind.send(ImmutableIntArray.of(2), new byte[] {1});
            });
    assertThat(beside.receive("test").bytes()).isEqualTo(large);
    assertThat(direct.receive("test").bytes()).isEqualTo(large);
    assertThat(direct.receive("test").bytes()).containsExactly(1);
    sending.join();
    direct.send(ImmutableIntArray.of(0, 1), new byte[] {2});
    assertThat(behind.receive("test").bytes()).containsExactly(2);
    behind.close();
    beside.fail("a division by zero");
    assertThat(failure(direct)).isEqualTo("rank 1 has failed: a division by zero");
  }

  @Test
  void throughAnAggregator_lossesAndRefusalsAreTold() throws IOException {
    AggregatorServer host = aggregator();
    assertThat(failure(join(host, 0, "guessed"))).isEqualTo("the token is not this job's");
    RelayClient behind = join(host, 0, "");
    RelayClient direct = join(2);
    RelayClient third = join(1);
    behind.send(ImmutableIntArray.of(2), new byte[] {6});
    assertThat(direct.receive("test").bytes()).containsExactly(6);
    host.close();
    assertThat(failure(third)).isEqualTo("rank 0 is lost: its connection broke");
    assertThat(failure(behind)).contains("the connection to the coordinator broke");
  }

  @Test
  void aRelayThatIsNotThere_isGivenUp() throws IOException {
    ManagedChannel channel = Channels.open("localhost:1", Transport.LOOPBACK);
    channels.add(channel);
    RelayClient alone =
        RelayClient.join(
            channel,
            new RelayClient.Joining("job", "", 0, 0, WORLD),
            timer,
            Duration.ofMillis(500));
    assertThat(failure(alone)).contains("the coordinator was not reached for", "refused");
    assertThatThrownBy(() -> alone.send(ImmutableIntArray.of(1), new byte[1]))
        .isInstanceOf(RelayException.class);
    alone.close();
  }

  @Test
  void aRelayThatComesLate_isFound() throws IOException {
    int port = server.port();
    server.close();
    ManagedChannel channel = Channels.open("localhost:" + port, Transport.LOOPBACK);
    channels.add(channel);
    RelayClient early =
        RelayClient.join(channel, new RelayClient.Joining("job", "", 0, 0, WORLD), timer);
    CompletableFuture<byte[]> got =
        CompletableFuture.supplyAsync(() -> early.receive("test").bytes());
    server =
        CoordinatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            Transport.LOOPBACK,
            CoordinatorOptions.of("job", WORLD),
            CoordinatorListener.NONE);
    join(1).send(ImmutableIntArray.of(0), new byte[] {5});
    assertThat(got.join()).containsExactly(5);
  }

  @Test
  void whoLeavesAtOnce_leavesInPeace() throws IOException {
    RelayClient stays = join(0);
    join(1).close();
    RelayClient third = join(2);
    third.send(ImmutableIntArray.of(0), new byte[] {4});
    assertThat(stays.receive("test").bytes()).containsExactly(4);
  }

  @Test
  void aFailure_isToldInTheRanksWords() throws IOException {
    RelayClient stays = join(0);
    RelayClient fails = join(1);
    fails.fail("a division by zero");
    assertThatThrownBy(() -> stays.receive("test"))
        .isInstanceOf(RelayException.class)
        .hasMessage("rank 1 has failed: a division by zero");
  }

  private static String failure(RelayClient client) {
    try {
      client.receive("test");
    } catch (RelayException e) {
      return String.valueOf(e.getMessage());
    }
    throw new AssertionError("something came");
  }
}
