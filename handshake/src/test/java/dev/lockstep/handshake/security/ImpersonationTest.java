package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.grpc.AggregatorServer;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.wire.Alive;
import dev.lockstep.handshake.wire.Ask;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.Leave;
import dev.lockstep.handshake.wire.Lost;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Peers that have the token, and say that they are a rank which another process is. */
final class ImpersonationTest {
  private static ClientMessage.Builder[] everythingFor(int rank) {
    return new ClientMessage.Builder[] {
      ClientMessage.newBuilder().setAsk(Ask.newBuilder().addRanks(rank)),
      ClientMessage.newBuilder().setAlive(Alive.newBuilder().setRank(rank).setProgress(1)),
      ClientMessage.newBuilder().setLeave(Leave.newBuilder().setRank(rank)),
      ClientMessage.newBuilder().setLost(Lost.newBuilder().setRank(rank))
    };
  }

  @Test
  void aRankThatIsConnected_cannotBeTakenOver() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet pretender = new Puppet(job.channel()).say(Puppet.hello(1).setIncarnation(5));
      assertThat(pretender.refusal()).isEqualTo("DUPLICATE_RANK");
      job.log.await(1, "refused 127.0.0.1:", "rank 1 DUPLICATE_RANK", "connected from 127.0.0.1:");
      job.goesOn();
    }
  }

  @Test
  void aLaterEpoch_doesNotEndTheJobOfThoseThatAreConnected() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet pretender =
          new Puppet(job.channel()).say(Puppet.hello(1).setIncarnation(5).setEpoch(9));
      assertThat(pretender.refusal()).isEqualTo("STILL_CONNECTED");
      job.log.await(1, "refused 127.0.0.1:", "rank 1 STILL_CONNECTED");
      job.goesOn();
    }
  }

  @Test
  void aRankSpeaksForItselfOnly() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet third = new Puppet(job.channel()).say(Puppet.hello(3));
      assertThat(third.hear().hasWelcome()).isTrue();
      for (ClientMessage.Builder message : everythingFor(1)) {
        // An ask needs a group to be read at all.
        third.say(
            message.hasAsk()
                ? ClientMessage.newBuilder()
                    .setAsk(Lies.ask(0, 0, Lies.use(0, 0, 1)).clearRanks().addRanks(1))
                : message);
      }
      job.log.await(4, "dropped 127.0.0.1:", "rank 1 does not speak on this connection");
      job.goesOn();
      third.hangUp();
    }
  }

  @Test
  void throughAnAggregator_answersGoToWhoWasWelcomed() throws IOException {
    Log log = new Log();
    try (HealthyJob job = new HealthyJob();
        AggregatorServer aggregator =
            AggregatorServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Transport.LOOPBACK,
                job.target(),
                Transport.LOOPBACK,
                HealthyJob.STRICT,
                log)) {
      String target = "localhost:" + aggregator.port();
      HandshakeClient third = job.join(HealthyJob.client(3), target);
      RankList alone = RankList.of(3);
      assertThat(HealthyJob.verdict(third.run(HealthyJob.program(alone))).kind())
          .isEqualTo(VerdictKind.FAT);

      Puppet withoutToken =
          new Puppet(job.channel(target, Transport.LOOPBACK))
              .say(Puppet.hello(3).setToken("x").setIncarnation(5));
      assertThat(withoutToken.refusal()).isEqualTo("WRONG_TOKEN");
      Puppet withToken =
          new Puppet(job.channel(target, Transport.LOOPBACK))
              .say(Puppet.hello(3).setIncarnation(6));
      assertThat(withToken.refusal()).isEqualTo("DUPLICATE_RANK");
      for (Puppet pretender : new Puppet[] {withoutToken, withToken}) {
        for (ClientMessage.Builder message : everythingFor(3)) {
          if (!message.hasAsk()) {
            pretender.say(message);
          }
        }
      }
      log.await(6, "dropped 127.0.0.1:", "rank 3 does not speak on this connection");

      for (int round = 0; round < 5; round++) {
        CompletableFuture<Verdict> asked = third.run(HealthyJob.program(alone));
        assertThat(HealthyJob.verdict(asked).kind()).isEqualTo(VerdictKind.FAT);
      }
      assertThat(job.log.count("lost rank 3")).isZero();
      job.goesOn();
    }
  }
}
