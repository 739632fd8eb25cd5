package dev.lockstep.handshake.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Ranks that run far ahead of answers, or of their connection. */
final class BacklogTest {
  private static final Program STEP = Table.program("p", RankList.world(2), "all_reduce");

  @Test
  void aRankThatAsksFarAheadIsHeldBackAndNotRefused() {
    Table table = new Table(2, Stage.DISPATCH);
    for (int i = 0; i < 300; i++) {
      table.rank(0).run(STEP);
    }
    assertThat(table.rank(0).refusal).isNull();
    assertThat(table.rank(0).client.waiting()).isEqualTo(300);
    for (int i = 0; i < 300; i++) {
      long own = table.rank(1).run(STEP);
      assertThat(table.rank(1).verdict(own).kind()).isEqualTo(VerdictKind.FAT);
      assertThat(table.rank(0).verdict(i)).isEqualTo(table.rank(1).verdict(own));
    }
    assertThat(table.rank(0).client.waiting()).isZero();
  }

  @Test
  void aRankThatAsksFarAheadOverABrokenConnectionLosesNothing() {
    Table table = new Table(2, Stage.DISPATCH);
    for (int i = 0; i < 100; i++) {
      table.rank(0).run(STEP);
    }
    for (int i = 0; i < 30; i++) {
      table.rank(1).run(STEP);
    }
    table.rank(0).cut();
    table.pass(Duration.ofSeconds(1));
    for (int i = 30; i < 100; i++) {
      table.rank(1).run(STEP);
    }
    for (long i = 0; i < 100; i++) {
      assertThat(table.rank(0).verdict(i)).isNotNull().isEqualTo(table.rank(1).verdict(i));
      assertThat(table.rank(0).verdict(i).kind()).isEqualTo(VerdictKind.FAT);
    }
  }

  @Test
  void whatIsIssuedWhileTheConnectionIsBrokenIsToldLater() {
    Table table = new Table(2, Stage.COMPILE);
    table.rank(0).run(STEP);
    table.rank(1).run(STEP);
    table.rank(0).cut();
    for (int i = 0; i < 300; i++) {
      table.rank(0).client.eager(STEP, table.now);
      table.rank(1).eager(STEP);
    }
    table.pass(Duration.ofSeconds(1));
    assertThat(table.rank(0).refusal).isNull();
    Program other = Table.program("q", RankList.world(2), "all_gather");
    long zero = table.rank(0).run(other);
    long one = table.rank(1).run(other);
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.FAT);
    assertThat(table.rank(1).verdict(one).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void requestsAreForgottenOnceTheCoordinatorIsKnownToHaveThem() {
    Table table = new Table(2, Stage.COMPILE);
    table.rank(0).run(STEP);
    table.rank(1).run(STEP);
    for (int i = 0; i < 1000; i++) {
      table.rank(0).eager(STEP);
      table.rank(1).eager(STEP);
    }
    assertThat(table.rank(0).client.remembered()).isGreaterThan(999);
    table.pass(Duration.ofSeconds(4));
    assertThat(table.rank(0).client.remembered()).isEqualTo(64);
  }
}
