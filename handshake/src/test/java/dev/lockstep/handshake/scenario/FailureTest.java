package dev.lockstep.handshake.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.ClientOptions;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.coordinator.CoordinatorOptions;
import dev.lockstep.handshake.coordinator.Link;
import dev.lockstep.handshake.protocol.Ask;
import dev.lockstep.handshake.protocol.GroupUse;
import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Ranks that are late, dead, silent, restarted, or make no sense: each gets a named answer. */
final class FailureTest {
  private static Program program(int world) {
    return Table.program("p", RankList.world(world), "all_reduce");
  }

  @Test
  void aRankThatNeverAsksIsNamedAtTheDeadline() {
    Table table = new Table(3, Stage.DISPATCH);
    long zero = table.rank(0).run(program(3));
    long one = table.rank(1).run(program(3));
    table.pass(Duration.ofSeconds(59));
    assertThat(table.rank(0).verdict(zero)).isNull();
    table.pass(Duration.ofSeconds(2));
    Verdict verdict = table.rank(0).verdict(zero);
    assertThat(verdict.kind()).isEqualTo(VerdictKind.TIMED_OUT);
    assertThat(verdict.text()).contains("ranks [2] did not ask");
    assertThat(table.rank(1).verdict(one)).isEqualTo(verdict);
    long late = table.rank(2).run(program(3));
    assertThat(table.rank(2).verdict(late)).isEqualTo(verdict);
  }

  @Test
  void aRankThatCompilesIsWaitedFor() {
    Table table = new Table(2, Stage.COMPILE);
    long zero = table.rank(0).run(program(2));
    for (int minute = 0; minute < 5; minute++) {
      table.pass(Duration.ofSeconds(40));
      table.rank(1).client.progress("compiling p", table.now);
      table.settle();
    }
    assertThat(table.rank(0).verdict(zero)).isNull();
    long one = table.rank(1).run(program(2));
    assertThat(table.rank(1).verdict(one).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void aDeadRankEndsTheRoundAfterTheGrace() {
    Table table = new Table(3, Stage.DISPATCH);
    table.ranks.forEach(Table.Rank::tick);
    long zero = table.rank(0).run(program(3));
    table.rank(2).die();
    table.pass(Duration.ofSeconds(6));
    Verdict verdict = table.rank(0).verdict(zero);
    assertThat(verdict.kind()).isEqualTo(VerdictKind.PEER_LOST);
    assertThat(verdict.reason()).isEqualTo(Reason.CONNECTION_LOST);
    assertThat(verdict.text()).contains("rank 2");
  }

  @Test
  void aSilentRankIsNoticedThoughItsConnectionStands() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(Table.Rank::tick);
    long zero = table.rank(0).run(program(2));
    table.rank(1).hang();
    table.pass(Duration.ofSeconds(20));
    assertThat(table.rank(0).verdict(zero).reason()).isEqualTo(Reason.SILENT);
  }

  @Test
  void nobodyIsLostBecauseTheCoordinatorWasSuspended() {
    Table table = new Table(2, Stage.DISPATCH);
    long zero = table.rank(0).run(program(2));
    table.pass(Duration.ofSeconds(40));
    Duration suspended = Duration.ofMinutes(10);
    table.now += suspended.toNanos();
    table.coordinator.slept(suspended.toNanos());
    table.ranks.forEach(rank -> rank.client.slept(suspended.toNanos()));
    table.coordinator.tick(table.now);
    table.settle();
    assertThat(table.rank(0).verdict(zero)).isNull();
    table.pass(Duration.ofSeconds(10));
    assertThat(table.rank(0).verdict(zero)).isNull();
    table.pass(Duration.ofSeconds(15));
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.TIMED_OUT);
  }

  @Test
  void aBrokenConnectionLosesNothing() {
    Table table = new Table(2, Stage.DISPATCH);
    long zero = table.rank(0).run(program(2));
    table.rank(0).cut();
    long one = table.rank(1).run(program(2));
    table.pass(Duration.ofSeconds(1));
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.FAT);
    assertThat(table.rank(1).verdict(one).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void aLoneRecompileIsAnsweredFromWhatTheOthersRun() {
    Table table = new Table(4, Stage.COMPILE);
    table.ranks.forEach(rank -> rank.run(program(4)));
    Program changed = Table.program("p with a multiply", RankList.world(4), "all_reduce");
    long lone = table.rank(0).run(changed);
    assertThat(table.rank(0).verdict(lone)).isNull();
    for (int rank = 1; rank < 4; rank++) {
      long cached = table.rank(rank).run(program(4));
      assertThat(table.rank(rank).verdict(cached).kind()).isEqualTo(VerdictKind.FAT);
    }
    Verdict verdict = table.rank(0).verdict(lone);
    assertThat(verdict.kind()).isEqualTo(VerdictKind.SKINNY);
    assertThat(verdict.reason()).isEqualTo(Reason.LONE_RECOMPILE);
  }

  @Test
  void atDispatchALoneRecompileCutsEverybodyOnce() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(rank -> rank.run(program(2)));
    Program changed = Table.program("p with a multiply", RankList.world(2), "all_reduce");
    long lone = table.rank(0).run(changed);
    long other = table.rank(1).run(program(2));
    assertThat(table.rank(0).verdict(lone).kind()).isEqualTo(VerdictKind.PARTIAL);
    assertThat(table.rank(1).verdict(other)).isEqualTo(table.rank(0).verdict(lone));
    long zero = table.rank(0).run(program(2));
    table.rank(1).run(program(2));
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void countsThatDoNotFollowHurtOnlyTheirSender() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(rank -> rank.run(program(2)));
    Table.Rank liar = table.rank(1);
    Link link = liar.link;
    table.coordinator.ask(
        link, 1, Ask.open(1, 0, ImmutableList.of(new GroupUse(0, 7, 1))), table.now);
    table.settle();
    long zero = table.rank(0).run(program(2));
    assertThat(table.rank(0).verdict(zero)).isNull();
    table.coordinator.ask(
        link, 1, Ask.open(2, 0, ImmutableList.of(new GroupUse(0, 1, 1))), table.now);
    table.settle();
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void anotherEpochEndsTheFirst() {
    Table table = new Table(2, Stage.DISPATCH);
    long zero = table.rank(0).run(program(2));
    ClientOptions next = ClientOptions.of("job", "", 1, 1, 2, 999, Stage.DISPATCH, Table.VERSIONS);
    table.rank(1).die();
    Table.Rank restarted = new Table.Rank(table, next);
    table.ranks.set(1, restarted);
    restarted.run(program(2));
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.EPOCH_OVER);
    assertThat(table.rank(0).refusal.code()).isEqualTo(Refusal.Code.STALE_EPOCH);
  }

  @Test
  void aLaterEpochWaitsForTheProcessItReplaces() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(Table.Rank::tick);
    ClientOptions next = ClientOptions.of("job", "", 9, 1, 2, 999, Stage.DISPATCH, Table.VERSIONS);
    Table.Rank pretender = new Table.Rank(table, next);
    pretender.run(program(2));
    for (int second = 0; second < 8; second++) {
      table.pass(Duration.ofSeconds(1));
      pretender.tick();
    }
    long zero = table.rank(0).run(program(2));
    table.rank(1).run(program(2));
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.FAT);
    table.rank(1).die();
    table.pass(Duration.ofSeconds(3));
    pretender.tick();
    assertThat(table.rank(0).refusal.code()).isEqualTo(Refusal.Code.STALE_EPOCH);
    assertThat(pretender.refusal).isNull();
  }

  @Test
  void aRecordedHelloIsOfNoUse() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(Table.Rank::tick);
    Table.Rank recorder = new Table.Rank(table, Table.client(1, 2, Stage.DISPATCH));
    recorder.tick();
    assertThat(recorder.refusal.code()).isEqualTo(Refusal.Code.REPLAYED);
    long zero = table.rank(0).run(program(2));
    table.rank(1).run(program(2));
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void whoMayNotTakePartIsToldWhy() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(rank -> rank.run(program(2)));
    assertThat(refused(table, 1, 0, 5, Stage.DISPATCH, Table.VERSIONS, "job"))
        .isEqualTo(Refusal.Code.DUPLICATE_RANK);
    assertThat(refused(table, 7, 0, 5, Stage.DISPATCH, Table.VERSIONS, "job"))
        .isEqualTo(Refusal.Code.WRONG_RANK);
    assertThat(refused(table, 1, 0, 5, Stage.COMPILE, Table.VERSIONS, "job"))
        .isEqualTo(Refusal.Code.WRONG_STAGE);
    assertThat(
            refused(
                table,
                1,
                0,
                5,
                Stage.DISPATCH,
                new Hello.Versions(1, "lockstep-fp1", "other", ""),
                "job"))
        .isEqualTo(Refusal.Code.WRONG_VERSION);
    assertThat(refused(table, 1, 0, 5, Stage.DISPATCH, Table.VERSIONS, "other"))
        .isEqualTo(Refusal.Code.WRONG_JOB);
    table.rank(1).die();
    assertThat(refused(table, 1, 0, 5, Stage.DISPATCH, Table.VERSIONS, "job"))
        .isEqualTo(Refusal.Code.NEEDS_NEW_EPOCH);
  }

  private static Refusal.Code refused(
      Table table,
      int rank,
      long epoch,
      long incarnation,
      Stage stage,
      Hello.Versions versions,
      String job) {
    ClientOptions options = ClientOptions.of(job, "", epoch, rank, 2, incarnation, stage, versions);
    Table.Rank stranger = new Table.Rank(table, options);
    stranger.tick();
    assertThat(stranger.refusal).isNotNull();
    return stranger.refusal.code();
  }

  @Test
  void aWrongTokenLearnsNothingElse() {
    CoordinatorOptions usual = CoordinatorOptions.of("job", 2);
    Table table =
        new Table(
            new CoordinatorOptions(
                "job",
                "secret",
                2,
                usual.deadline(),
                usual.roundLimit(),
                usual.grace(),
                usual.silence(),
                usual.mostPending(),
                usual.mostDefinitions(),
                1),
            Stage.DISPATCH);
    table.rank(0).tick();
    assertThat(table.rank(0).refusal.code()).isEqualTo(Refusal.Code.WRONG_TOKEN);
    assertThat(table.rank(0).refusal.text()).doesNotContain("secret");
  }
}
