package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.grpc.Channels;
import dev.lockstep.handshake.grpc.CoordinatorServer;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.grpc.Protection;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.simulate.Scripts;
import io.grpc.ManagedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A job of four ranks, of which 0 to 2 agree on program after program while a test attacks; rank 3
 * is for the attacker.
 */
final class HealthyJob implements AutoCloseable {
  static final int WORLD = 4;
  static final int FREE_RANK = 3;
  static final String TOKEN = "secret";
  static final Hello.Versions VERSIONS = new Hello.Versions(1, "lockstep-fp1", "test", "");

  /** Strangers get a second, so that tests are short. */
  static final Protection STRICT =
      new Protection(Duration.ofSeconds(1), Duration.ofSeconds(2), 1 << 14, 64 << 20, false);

  final Log log = new Log();
  final CoordinatorServer server;
  private final Transport transport;
  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<HandshakeClient> ranks = new ArrayList<>();
  private final AtomicInteger rounds = new AtomicInteger();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Thread working;
  private volatile boolean done;

  HealthyJob() throws IOException {
    this(Transport.LOOPBACK, Transport.LOOPBACK, STRICT);
  }

  HealthyJob(Transport serving, Transport joining, Protection protection) throws IOException {
    this.transport = joining;
    this.server =
        CoordinatorServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            serving,
            protection,
            options(),
            log);
    for (int rank = 0; rank < FREE_RANK; rank++) {
      ranks.add(join(client(rank), target()));
    }
    working = new Thread(this::work, "healthy job");
    working.start();
    goesOn();
  }

  private static CoordinatorOptions options() {
    CoordinatorOptions usual = CoordinatorOptions.of("job", WORLD);
    return new CoordinatorOptions(
        "job",
        TOKEN,
        WORLD,
        usual.deadline(),
        usual.roundLimit(),
        usual.grace(),
        usual.silence(),
        usual.mostPending(),
        usual.mostDefinitions(),
        1);
  }

  static ClientOptions client(int rank) {
    return ClientOptions.of("job", TOKEN, 0, rank, WORLD, 1000L + rank, Stage.DISPATCH, VERSIONS);
  }

  /** Returns a program with one collective of all of {@code members}. */
  static Program program(RankList members) {
    return Scripts.program(
        "step",
        members,
        ImmutableList.of(new Scripts.Call(members, "all_reduce f32[4]")),
        ImmutableList.of("", ""),
        "");
  }

  String target() {
    return "localhost:" + server.port();
  }

  /** Connects a rank; it is closed with the job. */
  HandshakeClient join(ClientOptions options, String target) throws IOException {
    return join(options, target, transport);
  }

  HandshakeClient join(ClientOptions options, String target, Transport with) throws IOException {
    return HandshakeClient.connect(options, channel(target, with), timer, unasked -> {});
  }

  ManagedChannel channel() throws IOException {
    return channel(target(), transport);
  }

  ManagedChannel channel(String target, Transport with) throws IOException {
    ManagedChannel channel = Channels.open(target, with);
    synchronized (channels) {
      channels.add(channel);
    }
    return channel;
  }

  private void work() {
    Program program = program(RankList.of(0, 1, 2));
    while (!done && wrong.isEmpty()) {
      List<CompletableFuture<Verdict>> asked = new ArrayList<>();
      for (HandshakeClient rank : ranks) {
        asked.add(rank.run(program));
      }
      for (CompletableFuture<Verdict> one : asked) {
        Verdict verdict = verdict(one);
        if (verdict.kind() != VerdictKind.FAT) {
          wrong.add(verdict.toString());
        }
      }
      rounds.incrementAndGet();
      Log.sleep(10);
    }
  }

  static Verdict verdict(CompletableFuture<Verdict> asked) {
    try {
      return asked.get(60, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException late) {
      throw new AssertionError("no verdict", late);
    }
  }

  /** Fails unless every round was agreed on, and more are now. */
  void goesOn() {
    int before = rounds.get();
    long start = System.nanoTime();
    while (rounds.get() < before + 3 && wrong.isEmpty()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(60)) {
        throw new AssertionError("the healthy job is stuck after " + log.lines());
      }
      Log.sleep(5);
    }
    assertThat(wrong).isEmpty();
    assertThat(log.lines()).noneMatch(line -> line.matches("lost rank [0-2] .*"));
  }

  /** Lets the free rank join, and agree with all others. */
  void freeRankTakesPart() throws IOException {
    RankList pair = RankList.of(0, FREE_RANK);
    try (HandshakeClient last = join(client(FREE_RANK), target())) {
      CompletableFuture<Verdict> one = ranks.get(0).run(program(pair));
      CompletableFuture<Verdict> other = last.run(program(pair));
      assertThat(verdict(one).kind()).isEqualTo(VerdictKind.FAT);
      assertThat(verdict(other).kind()).isEqualTo(VerdictKind.FAT);
    }
  }

  /** Lets the ranks of the healthy job leave. */
  void end() {
    done = true;
    try {
      working.join();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
    ranks.forEach(HandshakeClient::close);
  }

  @Override
  public void close() {
    end();
    synchronized (channels) {
      channels.forEach(ManagedChannel::shutdownNow);
    }
    server.close();
    timer.shutdownNow();
  }
}
