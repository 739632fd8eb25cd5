package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.handshake.grpc.StatusQuery;
import dev.lockstep.handshake.grpc.Transport;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.DefineGroup;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Peers that do not have the job's token. */
final class TokenTest {
  @ParameterizedTest
  @ValueSource(strings = {"", "secre", "secret ", "Secret", "something else altogether"})
  void anotherToken_isRefused_andLearnsNothing(String token) throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      // Everything else is wrong too, and is not told.
      Puppet stranger =
          new Puppet(job.channel())
              .say(Puppet.hello(77).setToken(token).setJob("other").setWorld(5).setEpoch(9));
      assertThat(stranger.hear().getRefuse().getText()).isEqualTo("the token is not this job's");
      job.log.await(1, "refused 127.0.0.1:", "rank 77 WRONG_TOKEN");
      assertThat(job.log.lines()).noneMatch(line -> line.contains(HealthyJob.TOKEN));
      job.goesOn();
      assertThat(stranger.end().isOk()).isFalse();
      job.freeRankTakesPart();
    }
  }

  @Test
  void withoutAHello_nothingIsListenedTo() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet stranger = new Puppet(job.channel());
      for (int i = 0; i < 100; i++) {
        stranger.say(
            ClientMessage.newBuilder()
                .setDefineGroup(DefineGroup.newBuilder().setNumber(i).addRanks(0)));
      }
      job.log.await(100, "dropped", "a definition came before a rank was let in");
      job.goesOn();
    }
  }

  @Test
  void theStatusNeedsTheTokenToo() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      assertThat(StatusQuery.ask(job.target(), Transport.LOOPBACK, "secret", 30).getConnected())
          .isEqualTo(3);
      assertThatThrownBy(() -> StatusQuery.ask(job.target(), Transport.LOOPBACK, "x", 30))
          .hasMessage("the token is not this job's");
      job.log.await(1, "turned away 127.0.0.1:", "UNAUTHENTICATED");
      job.goesOn();
    }
  }
}
