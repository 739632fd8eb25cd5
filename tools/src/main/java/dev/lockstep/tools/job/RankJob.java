package dev.lockstep.tools.job;

import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.relay.RelayClient;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.diff.DiffReport;
import dev.lockstep.pass.region.diff.RankDiff;
import dev.lockstep.pass.region.fingerprint.Fingerprint;
import dev.lockstep.tools.Session;
import dev.lockstep.tools.diff.DiffText;
import dev.lockstep.tools.handshake.JoinFlags;
import io.grpc.ManagedChannel;
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.jspecify.annotations.Nullable;

/** A rank's connections to its job: to the coordinator, and through its relay to the others. */
final class RankJob implements AutoCloseable {
  private final int rank;
  private final Stage stage;
  private final boolean hidesPrograms;
  private final ManagedChannel channel;
  private final ScheduledExecutorService timer;
  private final RelayClient relay;
  private final @Nullable HandshakeClient client;

  /** What was said already: the same programs may differ again and again. */
  private final Set<String> explained = new HashSet<>();

  private RankJob(
      int rank,
      Stage stage,
      boolean hidesPrograms,
      ManagedChannel channel,
      ScheduledExecutorService timer,
      RelayClient relay,
      @Nullable HandshakeClient client) {
    this.rank = rank;
    this.stage = stage;
    this.hidesPrograms = hidesPrograms;
    this.channel = channel;
    this.timer = timer;
    this.relay = relay;
    this.client = client;
  }

  /** Connects. That nobody answers, or refuses, is told by what is done first. */
  static RankJob join(Session session, JoinFlags flags, Stage stage, int world) {
    ManagedChannel channel = flags.channel();
    ScheduledExecutorService timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "rank-timer");
              thread.setDaemon(true);
              return thread;
            });
    RelayClient relay =
        RelayClient.join(
            channel,
            new RelayClient.Joining(flags.job(), flags.token(), flags.epoch(), flags.rank(), world),
            timer);
    ClientOptions options =
        ClientOptions.of(
            flags.job(),
            flags.token(),
            flags.epoch(),
            flags.rank(),
            world,
            new SecureRandom().nextLong(),
            stage,
            new Hello.Versions(1, Fingerprint.ALGORITHM, "lockstep", ""));
    HandshakeClient client =
        stage == Stage.OFF
            ? null
            : HandshakeClient.connect(
                options,
                channel,
                timer,
                notice -> session.say("notice from the coordinator: " + notice.text()));
    return new RankJob(flags.rank(), stage, flags.hidesPrograms(), channel, timer, relay, client);
  }

  int rank() {
    return rank;
  }

  Stage stage() {
    return stage;
  }

  /** Returns whether no other rank is to see this rank's programs. */
  boolean hidesPrograms() {
    return hidesPrograms;
  }

  GrpcTransport transport() {
    return new GrpcTransport(relay);
  }

  /** Asks about a program; the verdict comes in any case. */
  CompletableFuture<Verdict> ask(Program program) {
    HandshakeClient asking = client;
    if (asking == null) {
      throw new IllegalStateException("nothing is asked at this stage");
    }
    return asking.run(program);
  }

  /** Says where the programs of {@code ranks} differ, and what to do about it. */
  void explain(Session session, RankPrograms programs, Set<Integer> ranks, Verdict verdict) {
    session.doing("explaining round " + verdict.round());
    DiffReport report = RankDiff.among(programs, ranks);
    if (!report.areEqual()) {
      String text = new DiffText(programs, report, false).text().stripTrailing();
      if (explained.add(text)) {
        session.say(text);
      }
    }
  }

  /** Tells the others that this rank cannot go on. */
  void fail(String why) {
    relay.fail(why);
  }

  /** Leaves the job in peace. */
  @Override
  public void close() {
    relay.close();
    if (client != null) {
      client.close();
    }
    timer.shutdownNow();
    channel.shutdown();
  }
}
