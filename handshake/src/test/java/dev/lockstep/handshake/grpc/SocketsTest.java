package dev.lockstep.handshake.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.simulate.Scripts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Ranks and a coordinator over TCP. */
final class SocketsTest {
  @Test
  void equalProgramsAreFatRoundAfterRound() throws Exception {
    try (JobFixture job = JobFixture.plain(4)) {
      List<HandshakeClient> ranks = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        ranks.add(job.join(rank, Stage.DISPATCH));
      }
      for (int round = 0; round < 20; round++) {
        List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
        for (HandshakeClient rank : ranks) {
          verdicts.add(rank.run(JobFixture.program("", 4, 2)));
        }
        for (CompletableFuture<Verdict> verdict : verdicts) {
          assertThat(JobFixture.await(verdict).kind()).isEqualTo(VerdictKind.FAT);
        }
      }
    }
  }

  @Test
  void whatTakesItsTimeOverAVerdict_holdsUpNoConnection() throws Exception {
    try (JobFixture job = JobFixture.plain(2)) {
      List<HandshakeClient> ranks =
          List.of(job.join(0, Stage.DISPATCH), job.join(1, Stage.DISPATCH));
      CountDownLatch done = new CountDownLatch(1);
      List<CompletableFuture<Void>> slow = new ArrayList<>();
      // More than there are threads that read and write connections.
      for (int round = 0; round < 8; round++) {
        slow.add(
            ranks.get(0).run(JobFixture.program("", 2, 1)).thenAccept(verdict -> waitFor(done)));
        Verdict verdict = JobFixture.await(ranks.get(1).run(JobFixture.program("", 2, 1)));
        assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT);
      }
      assertThat(slow).noneMatch(CompletableFuture::isDone);
      done.countDown();
      CompletableFuture.allOf(slow.toArray(CompletableFuture[]::new)).get(20, TimeUnit.SECONDS);
    }
  }

  private static void waitFor(CountDownLatch done) {
    try {
      if (!done.await(20, TimeUnit.SECONDS)) {
        throw new AssertionError("too late");
      }
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  @Test
  void aMissingRankIsNamed() throws Exception {
    try (JobFixture job = JobFixture.plain(3)) {
      CompletableFuture<Verdict> first =
          job.join(0, Stage.DISPATCH).run(JobFixture.program("", 3, 1));
      CompletableFuture<Verdict> second =
          job.join(1, Stage.DISPATCH).run(JobFixture.program("", 3, 1));
      assertThat(JobFixture.await(first).kind()).isEqualTo(VerdictKind.TIMED_OUT);
      assertThat(JobFixture.await(first).text()).contains("rank 2 has never connected");
      assertThat(JobFixture.await(second)).isEqualTo(JobFixture.await(first));
    }
  }

  @Test
  void anAggregatorSpeaksForItsRanks() throws Exception {
    try (JobFixture job = JobFixture.plain(4);
        AggregatorServer aggregator =
            AggregatorServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Transport.LOOPBACK,
                "localhost:" + job.server.port(),
                Transport.LOOPBACK)) {
      List<HandshakeClient> ranks = new ArrayList<>();
      for (int rank = 0; rank < 4; rank++) {
        int port = rank < 3 ? aggregator.port() : job.server.port();
        ranks.add(job.join(JobFixture.client(rank, 4, Stage.DISPATCH), port, Transport.LOOPBACK));
      }
      for (int round = 0; round < 10; round++) {
        List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
        for (int rank = 0; rank < 4; rank++) {
          Program program = JobFixture.program(round == 5 ? "offset " + rank : "", 4, 2);
          verdicts.add(ranks.get(rank).run(program));
        }
        for (CompletableFuture<Verdict> verdict : verdicts) {
          assertThat(JobFixture.await(verdict).reason())
              .isEqualTo(round == 5 ? Reason.LITERALS_DIFFER : Reason.SAME_PROGRAM);
        }
      }
    }
  }

  @Test
  void aRankThatHasRunManyLargeProgramsMayConnectAgain() throws Exception {
    String text = "all_reduce " + "f32[4]".repeat(1 << 16);
    List<Program> programs = new ArrayList<>();
    for (int program = 0; program < 12; program++) {
      RankList all = RankList.world(1);
      programs.add(
          Scripts.program(
              "program " + program,
              all,
              ImmutableList.of(new Scripts.Call(all, text + program)),
              ImmutableList.of("", ""),
              ""));
    }
    try (JobFixture job = JobFixture.plain(1)) {
      HandshakeClient rank = job.join(0, Stage.DISPATCH);
      for (Program program : programs) {
        assertThat(JobFixture.await(rank.run(program)).kind()).isEqualTo(VerdictKind.FAT);
      }
      job.restart();
      assertThat(JobFixture.await(rank.run(programs.get(0))).kind()).isEqualTo(VerdictKind.FAT);
    }
  }

  @Test
  void aClosedClientAnswersAtOnceAndMayBeClosedTwice() throws Exception {
    try (JobFixture job = JobFixture.plain(2)) {
      HandshakeClient rank = job.join(0, Stage.DISPATCH);
      rank.close();
      rank.close();
      Verdict verdict = JobFixture.await(rank.run(JobFixture.program("", 2, 1)));
      assertThat(verdict.kind()).isEqualTo(VerdictKind.NO_COORDINATOR);
      job.server.close();
      job.server.close();
    }
  }
}
