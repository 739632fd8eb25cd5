package dev.lockstep.golden.split;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.DiagnosticSink;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.plan.ExecutionPlan;
import dev.lockstep.hlo.plan.PlanMode;
import dev.lockstep.hlo.plan.PlanStep;
import dev.lockstep.hlo.plan.RankPlans;
import dev.lockstep.hlo.plan.Segment;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.match.MatchReport;
import dev.lockstep.pass.region.match.Verdict;
import dev.lockstep.pass.region.split.Split;
import dev.lockstep.pass.region.split.Splitter;
import dev.lockstep.runtime.interp.Flattening;
import dev.lockstep.runtime.interp.GridInterpreter;
import dev.lockstep.runtime.interp.InterpreterOptions;
import dev.lockstep.runtime.plan.PlanPrograms;
import dev.lockstep.tools.program.Programs;
import dev.lockstep.tools.run.Workload;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random sets of ranks, cut in every mode, compute on every rank what their whole programs compute,
 * in the order of collectives that the programs have. {@code -Drandom.count=N} tries N sets (the
 * profile {@code long} many), {@code -Drandom.seed=S} starts at another.
 */
final class RandomSplitTest {
  static LongStream seeds() {
    long first = Long.getLong("random.seed", 0);
    return LongStream.range(first, first + 4 * Long.getLong("random.count", 25));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void plans_ofRandomSets_computeWhatWholeProgramsCompute(long seed) {
    RankPrograms programs = programs(seed);
    String texts =
        String.join(
            "// -----\n",
            RandomRankSet.texts(seed).stream().map(r -> String.join("// ---\n", r)).toList());
    MatchReport report = Splitter.match(programs, PlanMode.SKINNY);
    assertThat(report.verdict()).as(texts).isEqualTo(Verdict.MEET);
    List<List<Datum>> whole = run(wholePlans(programs), programs);
    for (PlanMode mode : new PlanMode[] {PlanMode.SKINNY, PlanMode.AUTO}) {
      Split split = Splitter.ofRanks(programs, report, mode, ImmutableSet.of());
      RankPlans plans = split.plans();
      checkOrder(programs, plans, texts);
      checkText(plans, texts);
      List<List<Datum>> cut = run(PlanPrograms.byRank(plans, programs.world()), programs);
      assertThat(cut).as(mode + " of seed " + seed + "\n" + texts).isEqualTo(whole);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void fat_ofRandomSets_isOnlyForEqualPrograms(long seed) {
    RankPrograms programs = programs(seed);
    MatchReport report = Splitter.match(programs, PlanMode.FAT);
    Split auto = Splitter.ofRanks(programs, report, PlanMode.AUTO, ImmutableSet.of());
    Set<List<Segment>> all = new HashSet<>();
    for (int rank = 0; rank < programs.world(); rank++) {
      all.add(auto.plans().plan(rank).steps().stream().map(PlanStep::segment).toList());
    }
    // Ranks may take different results of one text; one that only hands on its arguments has none.
    boolean equal = all.size() == 1 && all.iterator().next().size() <= programs.programs(0).size();
    if (equal) {
      RankPlans fat = Splitter.ofRanks(programs, report, PlanMode.FAT, ImmutableSet.of()).plans();
      assertThat(run(PlanPrograms.byRank(fat, programs.world()), programs))
          .isEqualTo(run(wholePlans(programs), programs));
    } else {
      assertThatThrownBy(() -> Splitter.ofRanks(programs, report, PlanMode.FAT, ImmutableSet.of()))
          .isInstanceOf(DiagnosticException.class)
          .hasMessageContaining("split-fat");
    }
  }

  static RankPrograms programs(long seed) {
    Map<String, Module> read = new HashMap<>();
    List<ImmutableList<RankPrograms.Program>> ranks = new ArrayList<>();
    for (List<String> texts : RandomRankSet.texts(seed)) {
      ImmutableList.Builder<RankPrograms.Program> programs = ImmutableList.builder();
      for (String text : texts) {
        String file = "rank" + ranks.size() + ".txt";
        programs.add(
            new RankPrograms.Program(file, read.computeIfAbsent(text, t -> read(file, t))));
      }
      ranks.add(programs.build());
    }
    return RankPrograms.of(ranks, OptionalInt.empty());
  }

  private static Module read(String file, String text) {
    try {
      Module module = Programs.read(Source.of(file, text));
      DiagnosticSink sink = new DiagnosticSink();
      Programs.verify(module, sink);
      sink.throwIfErrors();
      return module;
    } catch (DiagnosticException e) {
      throw new AssertionError(text, e);
    }
  }

  static List<ExecutionPlan> wholePlans(RankPrograms programs) {
    List<ExecutionPlan> out = new ArrayList<>();
    for (int rank = 0; rank < programs.world(); rank++) {
      out.add(Splitter.whole(programs.modules(rank)));
    }
    return out;
  }

  private static List<List<Datum>> run(List<ExecutionPlan> plans, RankPrograms programs) {
    Workload work = Workload.ofPlans(plans, "segment", programs.grid(), false);
    List<List<Datum>> out = new ArrayList<>();
    GridInterpreter.run(work.program(), work.grid(), work.arguments(7), InterpreterOptions.DEFAULT)
        .forEach(results -> out.add(List.copyOf(Flattening.flatten(results))));
    return out;
  }

  /** Every rank issues its collectives in the order in which its programs have them. */
  private static void checkOrder(RankPrograms programs, RankPlans plans, String texts) {
    for (int rank = 0; rank < programs.world(); rank++) {
      assertThat(collectives(plans.plan(rank)))
          .as(texts)
          .isEqualTo(collectives(Splitter.whole(programs.modules(rank))));
    }
  }

  private static List<String> collectives(ExecutionPlan plan) {
    List<String> out = new ArrayList<>();
    plan.steps().forEach(step -> out.addAll(step.segment().collectives()));
    return out;
  }

  /** A segment with several collectives is one text for all ranks; every text verifies. */
  private static void checkText(RankPlans plans, String texts) {
    for (Segment segment : plans.segments()) {
      boolean everywhere =
          plans.classes().stream()
              .allMatch(
                  each ->
                      each.plan().steps().stream()
                          .map(PlanStep::segment)
                          .anyMatch(segment::equals));
      assertThat(everywhere || segment.collectives().size() <= 1)
          .as(segment.name() + " holds several collectives, and not all ranks run it\n" + texts)
          .isTrue();
      String text = Programs.print(segment.module());
      assertThat(Programs.print(read(segment.name(), text))).isEqualTo(text);
    }
  }
}
