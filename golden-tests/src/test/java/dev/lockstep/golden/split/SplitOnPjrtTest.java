package dev.lockstep.golden.split;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.golden.pjrt.OnPjrt;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.pjrt.ExecutableCache;
import dev.lockstep.runtime.pjrt.PjrtClient;
import dev.lockstep.runtime.pjrt.PjrtException;
import dev.lockstep.runtime.pjrt.PjrtPlans;
import dev.lockstep.runtime.pjrt.PjrtPlugin;
import dev.lockstep.runtime.pjrt.PjrtRunner;
import dev.lockstep.runtime.plan.PlanPrograms;
import dev.lockstep.runtime.values.Tolerance;
import dev.lockstep.tools.run.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random sets of ranks, cut in every mode, on a plugin, against the interpreter. Compiling takes
 * its time: of {@code -Drandom.count} sets, no more than 500 are tried.
 */
final class SplitOnPjrtTest {
  private static final long SETS = Math.min(500, Long.getLong("random.count", 15));

  static Stream<Path> plugins() {
    return OnPjrt.plugins();
  }

  @ParameterizedTest
  @MethodSource("plugins")
  void plans_ofRandomSets_giveOnThePluginWhatTheyGiveOnTheInterpreter(Path plugin) {
    long ran = 0;
    List<String> refused = new ArrayList<>();
    try (PjrtClient client =
        PjrtRunner.open(PjrtPlugin.load(plugin), RandomRankSet.RANKS, Map.of())) {
      long first = Long.getLong("random.seed", 0);
      for (long seed = first; seed < first + SETS; seed++) {
        RankPrograms programs = RandomSplitTest.programs(seed);
        for (PlanMode mode : new PlanMode[] {PlanMode.SKINNY, PlanMode.AUTO}) {
          MatchReport report = Splitter.match(programs, mode);
          Workload work =
              Workload.ofPlans(
                  PlanPrograms.byRank(
                      Splitter.ofRanks(programs, report, mode, ImmutableSet.of()).plans(),
                      programs.world()),
                  "segment",
                  programs.grid(),
                  false);
          try {
            check(client, work, mode + " of seed " + seed);
            ran++;
          } catch (PjrtException e) {
            assertThat(e)
                .as("seed " + seed)
                .hasMessageMatching("(?s).*(?:Unsupported reduction|not supported by XLA:CPU).*");
            refused.add(String.valueOf(e.getMessage()));
          }
        }
      }
    }
    assertThat(ran).as(refused.toString()).isGreaterThan(SETS);
  }

  private static void check(PjrtClient client, Workload work, String what) {
    List<ImmutableList<Datum>> arguments = work.arguments(7);
    List<ImmutableList<Datum>> expected =
        GridInterpreter.run(work.program(), work.grid(), arguments, InterpreterOptions.DEFAULT);
    try (ExecutableCache cache = new ExecutableCache(client)) {
      // A plan of one segment is a program.
      List<ExecutionPlan> all =
          work.plans().isEmpty() ? List.of(Splitter.whole(work.modules())) : work.plans();
      PjrtPlans plans = PjrtPlans.compile(cache, all, work.grid());
      List<ImmutableList<Datum>> actual = plans.run(arguments);
      for (int rank = 0; rank < work.grid().size(); rank++) {
        List<Literal> wanted = Flattening.flatten(expected.get(rank));
        List<Literal> got = Flattening.flatten(actual.get(rank));
        assertThat(got).as(what).hasSameSizeAs(wanted);
        for (int i = 0; i < wanted.size(); i++) {
          assertThat(
                  Tolerance.defaultFor(wanted.get(i).element())
                      .firstDifference(wanted.get(i), got.get(i)))
              .as("%s, result %d of rank %d: %s and %s", what, i, rank, wanted.get(i), got.get(i))
              .isEmpty();
        }
      }
    }
  }
}
