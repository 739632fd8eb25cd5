package dev.lockstep.handshake.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.wire.Answer;
import dev.lockstep.handshake.wire.ClientMessage;
import dev.lockstep.handshake.wire.CoordinatorMessage;
import dev.lockstep.handshake.wire.DefineProgram;
import dev.lockstep.handshake.wire.Verdict;
import java.io.IOException;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** A rank of the job that does not tell the truth: it hurts nobody but itself. */
final class LyingRankTest {
  /** Lets rank 3 in; its groups are 0 for itself and 1 for all ranks, its program 0 is one call. */
  private static Puppet rank(HealthyJob job) throws IOException {
    Puppet rank =
        new Puppet(job.channel())
            .say(
                ClientMessage.newBuilder().setHello(Puppet.hello(3)),
                Lies.group(0, 3),
                Lies.group(1, 0, 1, 2, 3),
                Lies.program(0));
    assertThat(rank.hear().hasWelcome()).isTrue();
    return rank;
  }

  private static Answer answer(Puppet rank) {
    CoordinatorMessage next = rank.hear();
    assertThat(next.hasAnswer()).as(next.toString()).isTrue();
    return next.getAnswer();
  }

  private static void isRejected(HealthyJob job, Puppet rank, String reason) {
    Verdict verdict = answer(rank).getVerdict();
    assertThat(verdict.getKind()).isEqualTo(Verdict.Kind.REJECTED);
    assertThat(verdict.getReason()).isEqualTo(reason);
    job.log.await(1, "rejected 127.0.0.1:", "rank 3 " + reason);
    job.goesOn();
  }

  private static void isTurnedOut(HealthyJob job, Puppet rank, String words) {
    CoordinatorMessage next = rank.hear();
    assertThat(next.getRefuse().getCode()).isEqualTo("PROTOCOL_ERROR");
    assertThat(next.getRefuse().getText()).contains(words);
    job.log.await(1, "refused 127.0.0.1:", "rank 3 PROTOCOL_ERROR", words);
    job.goesOn();
  }

  @Test
  void countsThatGoBackwards() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job);
      rank.say(Lies.message(Lies.ask(0, 0, Lies.use(0, 5, 1))));
      assertThat(answer(rank).getVerdict().getKind()).isEqualTo(Verdict.Kind.FAT);
      rank.say(Lies.message(Lies.ask(1, 0, Lies.use(0, 2, 1))));
      isRejected(job, rank, "COUNT_GAP");
      // What is right is heard again.
      rank.say(Lies.message(Lies.ask(2, 0, Lies.use(0, 6, 1))));
      assertThat(answer(rank).getVerdict().getKind()).isEqualTo(Verdict.Kind.FAT);
    }
  }

  @Test
  void countsThatLeap() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job);
      rank.say(Lies.message(Lies.ask(0, 0, Lies.use(0, 0, 1))));
      assertThat(answer(rank).getVerdict().getKind()).isEqualTo(Verdict.Kind.FAT);
      rank.say(Lies.message(Lies.ask(1, 0, Lies.use(0, Long.MAX_VALUE - 1, 1))));
      isRejected(job, rank, "COUNT_GAP");
    }
  }

  @Test
  void aCountThatIsNotThatOfTheProgram() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job);
      rank.say(Lies.message(Lies.ask(0, 0, Lies.use(0, 0, 7))));
      isRejected(job, rank, "MALFORMED");
    }
  }

  @Test
  void aGroupOfOtherRanks() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job).say(Lies.group(2, 0, 1, 2));
      rank.say(Lies.message(Lies.ask(0, 0, Lies.use(2, 0, 1))));
      isRejected(job, rank, "MALFORMED");
    }
  }

  @Test
  void anotherWorld() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet stranger = new Puppet(job.channel()).say(Puppet.hello(3).setWorld(5));
      assertThat(stranger.refusal()).isEqualTo("WRONG_WORLD");
      job.log.await(1, "refused 127.0.0.1:", "rank 3 WRONG_WORLD");
      job.goesOn();
      job.freeRankTakesPart();
    }
  }

  @Test
  void aGroupBeyondTheWorld() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      isTurnedOut(job, rank(job).say(Lies.group(2, 0, 99)), "beyond the world");
    }
  }

  @Test
  void aGroupThatWasNotDefined() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job).say(Lies.message(Lies.ask(0, 0, Lies.use(77, 0, 1))));
      isTurnedOut(job, rank, "group 77 was not defined");
    }
  }

  @Test
  void aProgramThatWasNotDescribed() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job).say(Lies.message(Lies.ask(0, -1, Lies.use(0, 0, 1))));
      isTurnedOut(job, rank, "program -1 was not described");
    }
  }

  @Test
  void requestsThatAreLeftOut() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job).say(Lies.message(Lies.ask(3, 0, Lies.use(0, 0, 1))));
      isTurnedOut(job, rank, "request 3 came where 0 was expected");
    }
  }

  @Test
  void moreRequestsThanMayWait() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job);
      for (int i = 0; i < 65; i++) {
        rank.say(Lies.message(Lies.ask(i, 0, Lies.use(1, i, 1))));
      }
      isTurnedOut(job, rank, "requests are unanswered");
    }
  }

  @Test
  void moreDefinitionsThanThereIsRoomFor() throws IOException {
    try (HealthyJob job = new HealthyJob()) {
      Puppet rank = rank(job);
      DefineProgram large =
          DefineProgram.newBuilder()
              .addAllRegions(Collections.nCopies(400_000, 1L))
              .setName("large")
              .build();
      for (int i = 1; i < 30; i++) {
        rank.say(ClientMessage.newBuilder().setDefineProgram(large.toBuilder().setNumber(i)));
      }
      isTurnedOut(job, rank, "the definitions of this connection take more than");
    }
  }
}
