package dev.lockstep.handshake.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.ProgramSummary;
import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Stage;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import dev.lockstep.handshake.simulate.Scripts;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Who is ahead, who is behind, and how they come together: the multi-process scenarios of
 * research/torch_tpu.md 1.8, and what it could not do (1.9).
 */
final class AlignmentTest {
  private static final String CALL = "all_reduce f32[4]";

  private static Program calls(String name, int world, int count) {
    String[] calls = new String[count];
    java.util.Arrays.fill(calls, CALL);
    return Table.program(name, RankList.world(world), calls);
  }

  private static List<Verdict> all(Table table, Program program) {
    List<Long> sequences = new ArrayList<>();
    table.ranks.forEach(rank -> sequences.add(rank.run(program)));
    List<Verdict> verdicts = new ArrayList<>();
    for (int rank = 0; rank < table.ranks.size(); rank++) {
      verdicts.add(table.rank(rank).verdict(sequences.get(rank)));
    }
    return verdicts;
  }

  @Test
  void sameFingerprintOnFourRanksIsFat() {
    Table table = new Table(4, Stage.DISPATCH);
    assertThat(all(table, calls("p", 4, 1)))
        .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
  }

  @Test
  void aMismatchDoesNotPoisonLaterRounds() {
    Table table = new Table(3, Stage.DISPATCH);
    for (int step = 0; step < 5; step++) {
      assertThat(all(table, calls("same", 3, 1)))
          .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
      List<Long> sequences = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        sequences.add(table.rank(rank).run(calls("rank " + rank, 3, 1)));
      }
      for (int rank = 0; rank < 3; rank++) {
        Verdict verdict = table.rank(rank).verdict(sequences.get(rank));
        assertThat(verdict.kind()).isEqualTo(VerdictKind.PARTIAL);
        assertThat(verdict.cut().asList()).containsExactly(0);
        assertThat(verdict.classes()).hasSize(3);
      }
    }
  }

  @Test
  void oneRankWithTwoProgramsWhereEightHoldOne() {
    Table table = new Table(8, Stage.DISPATCH);
    long first = table.rank(0).run(calls("half a", 8, 1));
    List<Long> others = new ArrayList<>();
    for (int rank = 1; rank < 8; rank++) {
      others.add(table.rank(rank).run(calls("whole", 8, 2)));
    }
    long second = table.rank(0).run(calls("half b", 8, 1));
    assertThat(table.rank(0).verdict(first).kind()).isEqualTo(VerdictKind.SKINNY);
    assertThat(table.rank(0).verdict(second).kind()).isEqualTo(VerdictKind.SKINNY);
    for (int rank = 1; rank < 8; rank++) {
      Verdict verdict = table.rank(rank).verdict(others.get(rank - 1));
      assertThat(verdict.kind()).isEqualTo(VerdictKind.SKINNY);
      assertThat(verdict.reason()).isEqualTo(Reason.NOT_ALIGNED);
    }
    assertThat(all(table, calls("next", 8, 1)))
        .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
  }

  @Test
  void theStretchGrowsWhileRanksComeTogether() {
    Table table = new Table(8, Stage.DISPATCH);
    long early = table.rank(0).run(calls("a", 8, 1));
    List<Long> firsts = new ArrayList<>();
    for (int rank = 1; rank < 8; rank++) {
      firsts.add(table.rank(rank).run(calls("b", 8, 2)));
    }
    long late = table.rank(0).run(calls("c", 8, 4));
    List<Long> seconds = new ArrayList<>();
    for (int rank = 1; rank < 8; rank++) {
      seconds.add(table.rank(rank).run(calls("d", 8, 3)));
    }
    assertThat(table.rank(0).verdict(early).kind()).isEqualTo(VerdictKind.SKINNY);
    assertThat(table.rank(0).verdict(late).kind()).isEqualTo(VerdictKind.SKINNY);
    for (int rank = 1; rank < 8; rank++) {
      assertThat(table.rank(rank).verdict(firsts.get(rank - 1)).kind())
          .isEqualTo(VerdictKind.SKINNY);
      assertThat(table.rank(rank).verdict(seconds.get(rank - 1)).kind())
          .isEqualTo(VerdictKind.SKINNY);
    }
    assertThat(all(table, calls("next", 8, 1)))
        .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
  }

  @Test
  void aSubgroupAgreesWithoutTheOthers() {
    Table table = new Table(4, Stage.DISPATCH);
    Program even = Table.program("even", RankList.of(0, 2), CALL);
    long first = table.rank(0).run(even);
    long second = table.rank(2).run(even);
    assertThat(table.rank(0).verdict(first).kind()).isEqualTo(VerdictKind.FAT);
    assertThat(table.rank(2).verdict(second).kind()).isEqualTo(VerdictKind.FAT);
  }

  @Test
  void rowsAndColumnsOfAMeshAreOneProgram() {
    Table table = new Table(4, Stage.DISPATCH);
    List<Long> sequences = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      RankList row = RankList.of(rank / 2 * 2, rank / 2 * 2 + 1);
      RankList column = RankList.of(rank % 2, rank % 2 + 2);
      sequences.add(
          table
              .rank(rank)
              .run(
                  Scripts.program(
                      "mesh",
                      RankList.world(4),
                      ImmutableList.of(
                          new Scripts.Call(row, CALL), new Scripts.Call(column, "all_gather")),
                      ImmutableList.of("", "", ""),
                      "")));
    }
    for (int rank = 0; rank < 4; rank++) {
      assertThat(table.rank(rank).verdict(sequences.get(rank)).kind()).isEqualTo(VerdictKind.FAT);
    }
  }

  @Test
  void aGraphBreakBesideRows_comparesWhatMeets() {
    Table table = new Table(4, Stage.DISPATCH);
    RankList all = RankList.world(4);
    for (int rank = 0; rank < 4; rank++) {
      RankList row = RankList.of(rank / 2 * 2, rank / 2 * 2 + 1);
      Scripts.Call own = new Scripts.Call(row, CALL);
      Scripts.Call x = new Scripts.Call(all, "all_reduce x");
      Scripts.Call y = new Scripts.Call(all, "all_reduce y");
      Scripts.Call z = new Scripts.Call(all, "all_reduce z");
      List<Long> asked = new ArrayList<>();
      if (rank == 0) {
        asked.add(table.rank(rank).run(program(all, own, x)));
        asked.add(table.rank(rank).run(program(all, y)));
        asked.add(table.rank(rank).run(program(all, z)));
      } else {
        asked.add(table.rank(rank).run(program(all, own, x, y, z)));
      }
      for (long sequence : asked) {
        Verdict verdict = table.rank(rank).verdict(sequence);
        if (verdict != null) {
          assertThat(verdict.kind()).as(verdict.text()).isEqualTo(VerdictKind.SKINNY);
        }
      }
    }
    assertThat(table.rank(0).notices).isEmpty();
  }

  private static Program program(RankList all, Scripts.Call... calls) {
    ImmutableList.Builder<String> regions = ImmutableList.builder();
    for (int i = 0; i <= calls.length; i++) {
      regions.add("");
    }
    return Scripts.program("p", all, ImmutableList.copyOf(calls), regions.build(), "");
  }

  @Test
  void rowsOfAMeshThatHoldOneTextAreFat_thoughEachTellsItsOwnGroups() {
    Table table = new Table(4, Stage.DISPATCH);
    List<Long> sequences = new ArrayList<>();
    for (int rank = 0; rank < 4; rank++) {
      RankList row = RankList.of(rank / 2 * 2, rank / 2 * 2 + 1);
      ProgramSummary plain = program(RankList.world(4), new Scripts.Call(row, CALL)).summary();
      ProgramSummary own =
          new ProgramSummary(
              plain.whole(),
              plain.structural(),
              plain.regions(),
              plain.callGroups(),
              plain.callSignatures(),
              ImmutableList.of("in " + row),
              2);
      Program mine = new Program("mesh", own, ImmutableList.of(RankList.world(4), row));
      sequences.add(table.rank(rank).run(mine));
    }
    assertThat(sequences)
        .allSatisfy(
            sequence ->
                assertThat(table.rank(sequences.indexOf(sequence)).verdict(sequence).kind())
                    .isEqualTo(VerdictKind.FAT));
  }

  @Test
  void whoTakesNoPartInACollectiveOfTheText_keepsItsPlaceInTheJob() {
    Table table = new Table(3, Stage.DISPATCH);
    ProgramSummary pair =
        program(RankList.world(3), new Scripts.Call(RankList.of(0, 1), CALL)).summary();
    Program both =
        new Program("pair", pair, ImmutableList.of(RankList.world(3), RankList.of(0, 1)));
    Program outside =
        new Program(
            "pair",
            new ProgramSummary(
                pair.whole(),
                pair.structural(),
                pair.regions(),
                ImmutableIntArray.of(),
                ImmutableLongArray.of(),
                ImmutableList.of(),
                1),
            ImmutableList.of(RankList.world(3)));
    for (int step = 0; step < 2; step++) {
      List<Long> asked = new ArrayList<>();
      for (int rank = 0; rank < 3; rank++) {
        asked.add(table.rank(rank).run(rank == 2 ? outside : both));
      }
      for (int rank = 0; rank < 3; rank++) {
        assertThat(table.rank(rank).verdict(asked.get(rank)).kind()).isEqualTo(VerdictKind.FAT);
      }
      assertThat(all(table, Table.program("next", RankList.world(3), CALL)))
          .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
    }
  }

  @Test
  void ranksThatWaitForEachOtherInACircleAreTold() {
    Table table = new Table(2, Stage.DISPATCH);
    Program first = Table.program("x", RankList.world(2), "all_reduce x");
    // The same ranks as another list of participants cannot be made with two ranks: rank 0 asks
    // about the pair, rank 1 about itself and the pair in the other order.
    Table three = new Table(3, Stage.DISPATCH);
    long zero = three.rank(0).run(Table.program("a", RankList.of(0, 1), CALL));
    long one = three.rank(1).run(Table.program("b", RankList.of(1, 2), CALL));
    long two = three.rank(2).run(Table.program("c", RankList.of(0, 2), CALL));
    three.pass(java.time.Duration.ofSeconds(61));
    for (Verdict verdict :
        List.of(
            three.rank(0).verdict(zero), three.rank(1).verdict(one), three.rank(2).verdict(two))) {
      assertThat(verdict.kind()).isEqualTo(VerdictKind.MISMATCH);
      assertThat(verdict.reason()).isEqualTo(Reason.CROSSED_ORDER);
      assertThat(verdict.text()).contains("rank 0", "rank 1", "rank 2");
    }
    assertThat(all(table, first))
        .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
  }

  @Test
  void unlikeCollectivesAreNamedWithTheirRanks() {
    Table table = new Table(2, Stage.DISPATCH);
    long zero =
        table.rank(0).run(Table.program("sum", RankList.world(2), CALL, "all_reduce sum f32[8]"));
    long one =
        table.rank(1).run(Table.program("max", RankList.world(2), CALL, "all_reduce max f32[8]"));
    Verdict verdict = table.rank(0).verdict(zero);
    assertThat(verdict.kind()).isEqualTo(VerdictKind.MISMATCH);
    assertThat(verdict.text())
        .isEqualTo(
            "collective 1 of the program on group [0,1] is all_reduce sum f32[8] on rank 0 and"
                + " all_reduce max f32[8] on rank 1");
    assertThat(table.rank(1).verdict(one)).isEqualTo(verdict);
  }

  @Test
  void aRankThatBreaksARoundIsAnsweredOnceAndWithItsOwnVerdict() {
    Table table = new Table(2, Stage.DISPATCH);
    long one = table.rank(1).run(Table.program("short", RankList.world(2), CALL));
    long zero = table.rank(0).run(Table.program("long", RankList.world(2), "all_gather", CALL));
    assertThat(table.rank(1).verdict(one).kind()).isEqualTo(VerdictKind.SKINNY);
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.MISMATCH);
    assertThat(table.rank(1).notices).containsExactly(table.rank(0).verdict(zero));
    assertThat(table.answers).isEqualTo(2);
  }

  @Test
  void aRoundWithALostRankIsAnsweredOnce() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(Table.Rank::tick);
    table.rank(1).die();
    table.pass(java.time.Duration.ofSeconds(6));
    long zero = table.rank(0).run(calls("p", 2, 1));
    assertThat(table.rank(0).verdict(zero).kind()).isEqualTo(VerdictKind.PEER_LOST);
    assertThat(table.answers).isEqualTo(1);
  }

  @Test
  void literalsAloneAreForRepair() {
    Table table = new Table(2, Stage.DISPATCH);
    long[] sequences = new long[2];
    for (int rank = 0; rank < 2; rank++) {
      RankList all = RankList.world(2);
      sequences[rank] =
          table
              .rank(rank)
              .run(
                  Scripts.program(
                      "embedding",
                      all,
                      ImmutableList.of(new Scripts.Call(all, CALL)),
                      ImmutableList.of("ge", ""),
                      "offset " + 200 * rank));
    }
    assertThat(table.rank(0).verdict(sequences[0]).kind()).isEqualTo(VerdictKind.REPAIR);
    assertThat(table.rank(1).verdict(sequences[1]).reason()).isEqualTo(Reason.LITERALS_DIFFER);
  }

  @Test
  void eagerCollectivesAreCounted() {
    Table table = new Table(2, Stage.DISPATCH);
    table.ranks.forEach(rank -> rank.eager(calls("eager", 2, 1)));
    assertThat(all(table, calls("p", 2, 3)))
        .allSatisfy(verdict -> assertThat(verdict.kind()).isEqualTo(VerdictKind.FAT));
  }

  @Test
  void theNextVerdictIsAskedForBeforeTheLastIsIn() {
    Table table = new Table(2, Stage.DISPATCH);
    Program program = calls("p", 2, 1);
    List<Long> ahead = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ahead.add(table.rank(0).run(program));
    }
    for (int i = 0; i < 5; i++) {
      assertThat(table.rank(0).verdict(ahead.get(i))).isNull();
      long behind = table.rank(1).run(program);
      assertThat(table.rank(1).verdict(behind).kind()).isEqualTo(VerdictKind.FAT);
      assertThat(table.rank(0).verdict(ahead.get(i)).kind()).isEqualTo(VerdictKind.FAT);
    }
  }
}
