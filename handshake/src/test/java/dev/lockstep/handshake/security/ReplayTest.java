package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.grpc.HandshakeClient;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.wire.Answer;
import dev.lockstep.handshake.wire.ClientMessage;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** What was recorded on the way is sent again. */
final class ReplayTest {
  @Test
  void aWholeConnection_repeatedByteByByte_isRefused() throws IOException {
    try (HealthyJob job = new HealthyJob();
        Recorder wire = new Recorder(job.server.port());
        HandshakeClient third = job.join(HealthyJob.client(3), "localhost:" + wire.port())) {
      RankList alone = RankList.of(3);
      assertThat(HealthyJob.verdict(third.run(HealthyJob.program(alone))).kind())
          .isEqualTo(VerdictKind.FAT);
      byte[] recorded = wire.recorded();
      for (int time = 1; time <= 3; time++) {
        try (RawPeer again = new RawPeer(job.server.port())) {
          again.send(recorded);
          job.log.await(1, "refused " + again.name(), "rank 3 REPLAYED");
        }
      }
      // The rank that was recorded notices nothing.
      assertThat(HealthyJob.verdict(third.run(HealthyJob.program(alone))).kind())
          .isEqualTo(VerdictKind.FAT);
      job.goesOn();
    }
  }

  @Test
  void afterTheProcessHasEnded_itIsStillRefused() throws IOException {
    try (HealthyJob job = new HealthyJob();
        Recorder wire = new Recorder(job.server.port())) {
      try (HandshakeClient third = job.join(HealthyJob.client(3), "localhost:" + wire.port())) {
        HealthyJob.verdict(third.run(HealthyJob.program(RankList.of(3))));
      }
      job.log.await(1, "lost rank 3 LEFT");
      try (RawPeer again = new RawPeer(job.server.port())) {
        again.send(wire.recorded());
        job.log.await(1, "refused " + again.name(), "rank 3 REPLAYED");
      }
      job.goesOn();
    }
  }

  @Test
  void anEarlierEpoch_isRefused() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      ClientOptions second =
          ClientOptions.of(
              "job",
              HealthyJob.TOKEN,
              1,
              3,
              HealthyJob.WORLD,
              77,
              Stage.DISPATCH,
              HealthyJob.VERSIONS);
      job.end();
      try (HandshakeClient later = job.join(second, job.target())) {
        assertThat(HealthyJob.verdict(later.run(HealthyJob.program(RankList.of(3)))).kind())
            .isEqualTo(VerdictKind.FAT);
        Puppet old = new Puppet(job.channel()).say(Puppet.hello(0).setConnection(9));
        assertThat(old.refusal()).isEqualTo("STALE_EPOCH");
        job.log.await(1, "refused 127.0.0.1:", "rank 0 STALE_EPOCH");
        assertThat(HealthyJob.verdict(later.run(HealthyJob.program(RankList.of(3)))).kind())
            .isEqualTo(VerdictKind.FAT);
      }
    }
  }

  @Test
  void requestsThatComeTwice_areCountedOnce() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank =
          new Puppet(job.channel())
              .say(
                  ClientMessage.newBuilder().setHello(Puppet.hello(3)),
                  Lies.group(0, 3),
                  Lies.program(0));
      assertThat(rank.hear().hasWelcome()).isTrue();
      rank.say(Lies.message(Lies.ask(0, 0, Lies.use(0, 0, 1))));
      Answer first = rank.hear().getAnswer();
      rank.say(Lies.message(Lies.ask(0, 0, Lies.use(0, 0, 1))));
      assertThat(rank.hear().getAnswer()).isEqualTo(first);
      rank.say(Lies.message(Lies.ask(1, 0, Lies.use(0, 1, 1))));
      assertThat(rank.hear().getAnswer().getVerdict().getRound())
          .isGreaterThan(first.getVerdict().getRound());
      job.goesOn();
    }
  }
}
