package dev.lockstep.handshake.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What compilers do to programs: the end-to-end scenarios of research/torch_tpu.md 1.8. */
final class RecompileTest {
  private static final RankList ALL = RankList.world(4);

  private static Program program(String text, String... calls) {
    return Table.program(text, ALL, calls);
  }

  private static List<Verdict> all(Table table, Program program) {
    List<Long> asked = new ArrayList<>();
    table.ranks.forEach(rank -> asked.add(rank.run(program)));
    List<Verdict> verdicts = new ArrayList<>();
    for (int rank = 0; rank < table.ranks.size(); rank++) {
      verdicts.add(table.rank(rank).verdict(asked.get(rank)));
    }
    return verdicts;
  }

  private static void areAllFat(List<Verdict> verdicts) {
    assertThat(verdicts)
        .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPILE", "DISPATCH"})
  void anExtraMultiplyOnOneRankIsCutOut(Stage stage) {
    Table table = new Table(4, stage);
    List<Long> asked = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      asked.add(
          table.rank(rank).run(program(rank == 0 ? "with a multiply" : "plain", "all_reduce")));
    }
    for (int rank = 0; rank < 4; rank++) {
      Verdict verdict = table.rank(rank).verdict(asked.get(rank));
      assertThat(verdict.kind()).isEqualTo(VerdictKind.PARTIAL);
      assertThat(verdict.cut().asList()).containsExactly(0);
      assertThat(verdict.classes()).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPILE", "DISPATCH"})
  void allRanksRecompileTogether(Stage stage) {
    Table table = new Table(4, stage);
    for (int iteration = 0; iteration < 4; iteration++) {
      areAllFat(all(table, program(iteration < 1 ? "first" : "changed", "all_reduce")));
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"COMPILE", "DISPATCH"})
  void aGraphBreakBetweenTwoCollectivesOnOneRank(Stage stage) {
    Table table = new Table(4, stage);
    List<Long> whole = new ArrayList<>();
    long firstHalf = table.rank(0).run(program("until the break", "all_reduce a"));
    for (int rank = 1; rank < 4; rank++) {
      whole.add(table.rank(rank).run(program("unbroken", "all_reduce a", "all_reduce b")));
    }
    long secondHalf = table.rank(0).run(program("after the break", "all_reduce b"));
    for (long half : new long[] {firstHalf, secondHalf}) {
      assertThat(table.rank(0).verdict(half).kind()).isEqualTo(VerdictKind.SKINNY);
    }
    for (int rank = 1; rank < 4; rank++) {
      Verdict verdict = table.rank(rank).verdict(whole.get(rank - 1));
      assertThat(verdict.kind()).isEqualTo(VerdictKind.SKINNY);
      assertThat(verdict.reason()).isEqualTo(Reason.NOT_ALIGNED);
    }
    areAllFat(all(table, program("the same for all", "all_reduce c")));
  }

  @Test
  void threeProgramsOfOneWhereTheOthersHoldOneOfThree() {
    Table table = new Table(4, Stage.DISPATCH);
    List<Long> parts = new ArrayList<>();
    for (int part = 0; part < 3; part++) {
      parts.add(table.rank(0).run(program("part " + part, "all_reduce")));
    }
    List<Long> others = new ArrayList<>();
    for (int rank = 1; rank < 4; rank++) {
      others.add(table.rank(rank).run(program("whole", "all_reduce", "all_reduce", "all_reduce")));
    }
    for (long part : parts) {
      assertThat(table.rank(0).verdict(part).kind()).isEqualTo(VerdictKind.SKINNY);
    }
    for (int rank = 1; rank < 4; rank++) {
      assertThat(table.rank(rank).verdict(others.get(rank - 1)).kind())
          .isEqualTo(VerdictKind.SKINNY);
    }
    areAllFat(all(table, program("next", "all_reduce")));
  }

  @Test
  void aProgramWithoutCollectivesAsksNobody() {
    Table table = new Table(4, Stage.DISPATCH);
    long alone = table.rank(0).run(program("a trailing graph"));
    assertThat(table.rank(0).verdict(alone).kind()).isEqualTo(VerdictKind.FAT);
    assertThat(table.answers).isZero();
    areAllFat(all(table, program("the next of all", "all_reduce")));
  }

  @Test
  void whenTheStageIsOffNothingIsAsked() {
    Table table = new Table(4, Stage.OFF);
    long one = table.rank(0).run(program("p", "all_reduce"));
    assertThat(table.rank(0).verdict(one).kind()).isEqualTo(VerdictKind.SKINNY);
    assertThat(table.answers).isZero();
  }

  @Test
  void aGroupOfOneRankAgreesWithItself() {
    Table table = new Table(4, Stage.DISPATCH);
    long one = table.rank(0).run(Table.program("alone", RankList.of(0), "all_reduce"));
    assertThat(table.rank(0).verdict(one).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void anAnswerThatComesLateIsNotTakenForTheNext() {
    Table table = new Table(2, Stage.DISPATCH);
    Program first = Table.program("first", RankList.world(2), "all_reduce");
    long late = table.rank(0).run(first);
    // Nothing is heard for longer than the rank waits for a coordinator.
    table.now += Duration.ofSeconds(31).toNanos();
    table.rank(0).tick();
    Verdict gaveUp = table.rank(0).verdict(late);
    assertThat(gaveUp.kind()).isEqualTo(VerdictKind.NO_COORDINATOR);
    long next = table.rank(0).run(Table.program("next", RankList.world(2), "all_reduce"));
    table.rank(1).run(first);
    // Now the first is answered, and neither it nor the next takes that.
    assertThat(table.rank(0).verdict(late)).isSameAs(gaveUp);
    assertThat(table.rank(0).verdict(next)).isNull();
    table.rank(1).run(Table.program("next", RankList.world(2), "all_reduce"));
    assertThat(table.rank(0).verdict(next).kind()).isEqualTo(VerdictKind.FAT);
  }
}
