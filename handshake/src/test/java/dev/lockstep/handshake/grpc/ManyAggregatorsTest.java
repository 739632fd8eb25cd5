package dev.lockstep.handshake.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.coordinator.CoordinatorListener;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Hosts with ranks of their own below one coordinator. */
final class ManyAggregatorsTest {
  private static final int HOSTS = 64;
  private static final int RANKS_A_HOST = 2;

  @Test
  void neitherAnAggregatorNorARankHasThreadsOrTimersOfItsOwn() throws Exception {
    int world = HOSTS * RANKS_A_HOST;
    List<AggregatorServer> hosts = new ArrayList<>();
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1);
    try (JobFixture job = JobFixture.plain(world)) {
      List<HandshakeClient> ranks = new ArrayList<>();
      for (int host = 0; host < HOSTS; host++) {
        hosts.add(aggregator(job.server.port()));
        for (int i = 0; i < RANKS_A_HOST; i++) {
          ranks.add(
              job.join(
                  JobFixture.client(ranks.size(), world, Stage.DISPATCH),
                  hosts.get(host).port(),
                  Transport.LOOPBACK,
                  timer));
        }
      }
      Program program = JobFixture.program("", world, 2);
      for (int round = 0; round < 3; round++) {
        List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
        for (HandshakeClient rank : ranks) {
          verdicts.add(rank.run(program));
        }
        for (CompletableFuture<Verdict> verdict : verdicts) {
          assertThat(JobFixture.await(verdict).kind()).isEqualTo(VerdictKind.FAT);
        }
      }
      assertThat(Thread.getAllStackTraces().keySet().stream().map(Thread::getName))
          .filteredOn(name -> name.contains("ELG") || name.contains("handshake"))
          .hasSizeLessThan(HOSTS / 4);
      // Each client waits for its next sign of life, or for what a restart of that wait replaced.
      assertThat(timer.getQueue()).hasSizeLessThanOrEqualTo(3 * world);
    } finally {
      timer.shutdownNow();
      hosts.forEach(AggregatorServer::close);
    }
  }

  @Test
  void ranksInTheAggregatorsProcessNeedNoSocket() throws Exception {
    try (JobFixture job = JobFixture.plain(5);
        AggregatorServer host = aggregator(job.server.port())) {
      List<HandshakeClient> ranks = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        ranks.add(
            HandshakeClient.connect(
                JobFixture.client(rank, 5, Stage.DISPATCH), host, job.timer, unasked -> {}));
      }
      ranks.add(job.join(JobFixture.client(3, 5, Stage.DISPATCH), host.port(), Transport.LOOPBACK));
      ranks.add(job.join(4, Stage.DISPATCH));
      for (int round = 0; round < 30; round++) {
        List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
        for (int rank = 0; rank < 5; rank++) {
          String literals = round % 10 == 5 ? "offset " + rank : "";
          verdicts.add(ranks.get(rank).run(JobFixture.program(literals, 5, 2)));
        }
        for (CompletableFuture<Verdict> verdict : verdicts) {
          assertThat(JobFixture.await(verdict).kind())
              .isEqualTo(round % 10 == 5 ? VerdictKind.REPAIR : VerdictKind.FAT);
        }
      }
      ranks.get(1).close();
      Verdict without = JobFixture.await(ranks.get(0).run(JobFixture.program("", 5, 2)));
      assertThat(without.kind()).isEqualTo(VerdictKind.PEER_LOST);
      assertThat(without.text()).contains("rank 1 has left the job");
      for (int rank : new int[] {0, 2, 3, 4}) {
        ranks.get(rank).close();
      }
    }
  }

  @Test
  void ranksInTheAggregatorsProcessComeBackWhenTheCoordinatorDoes() throws Exception {
    try (JobFixture job = JobFixture.plain(2);
        AggregatorServer host = aggregator(job.server.port())) {
      List<HandshakeClient> ranks = new ArrayList<>();
      for (int rank = 0; rank < 2; rank++) {
        ranks.add(
            HandshakeClient.connect(
                JobFixture.client(rank, 2, Stage.DISPATCH), host, job.timer, unasked -> {}));
      }
      Program program = JobFixture.program("", 2, 1);
      for (int life = 0; life < 3; life++) {
        CompletableFuture<Verdict> first = ranks.get(0).run(program);
        assertThat(JobFixture.await(ranks.get(1).run(program)).kind()).isEqualTo(VerdictKind.FAT);
        assertThat(JobFixture.await(first).kind()).isEqualTo(VerdictKind.FAT);
        job.restart();
      }
      for (HandshakeClient rank : ranks) {
        rank.close();
      }
    }
  }

  @Test
  void theRankThatCameFirstTakesNobodyWithIt() throws Exception {
    Queue<Integer> disconnected = new ConcurrentLinkedQueue<>();
    CountDownLatch gone = new CountDownLatch(1);
    CoordinatorListener listener =
        new CoordinatorListener() {
          @Override
          public void disconnected(int rank) {
            disconnected.add(rank);
          }

          @Override
          public void lost(int rank, String why) {
            gone.countDown();
          }
        };
    try (JobFixture job = new JobFixture(3, Transport.LOOPBACK, JobFixture.options(3), listener);
        AggregatorServer host = aggregator(job.server.port())) {
      List<HandshakeClient> ranks = new ArrayList<>();
      List<CompletableFuture<Verdict>> verdicts = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        ranks.add(
            job.join(JobFixture.client(rank, 3, Stage.DISPATCH), host.port(), Transport.LOOPBACK));
        verdicts.add(ranks.get(rank).run(JobFixture.program("", 3, 1)));
      }
      for (CompletableFuture<Verdict> verdict : verdicts) {
        assertThat(JobFixture.await(verdict).kind()).isEqualTo(VerdictKind.FAT);
      }
      ranks.get(0).close();
      assertThat(gone.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(JobFixture.await(ranks.get(1).run(JobFixture.program("", 3, 1))).text())
          .contains("rank 0 has left the job");
      assertThat(JobFixture.await(ranks.get(2).run(JobFixture.program("", 3, 1))).text())
          .contains("rank 0 has left the job");
      assertThat(disconnected).isEmpty();
    }
  }

  @Test
  void whatARankAskedBeforeItLeftGoesUpBeforeItsLeave() throws Exception {
    Queue<String> dropped = new ConcurrentLinkedQueue<>();
    CountDownLatch left = new CountDownLatch(1);
    CoordinatorListener listener =
        new CoordinatorListener() {
          @Override
          public void dropped(String link, String why) {
            dropped.add(why);
          }

          @Override
          public void lost(int rank, String why) {
            left.countDown();
          }
        };
    try (JobFixture job = new JobFixture(2, Transport.LOOPBACK, JobFixture.options(2), listener);
        AggregatorServer host = aggregator(job.server.port())) {
      HandshakeClient stays =
          job.join(JobFixture.client(0, 2, Stage.DISPATCH), host.port(), Transport.LOOPBACK);
      HandshakeClient leaves =
          job.join(JobFixture.client(1, 2, Stage.DISPATCH), host.port(), Transport.LOOPBACK);
      Program program = JobFixture.program("", 2, 1);
      JobFixture.await(stays.run(program).thenCombine(leaves.run(program), (one, other) -> other));
      leaves.eager(program);
      leaves.close();
      assertThat(left.await(20, TimeUnit.SECONDS)).isTrue();
      assertThat(dropped).isEmpty();
    }
  }

  private static AggregatorServer aggregator(int port) throws Exception {
    return AggregatorServer.start(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
        Transport.LOOPBACK,
        "localhost:" + port,
        Transport.LOOPBACK);
  }
}
