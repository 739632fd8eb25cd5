package dev.lockstep.pass.region.repair;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.grid.DeviceGrid;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.pass.region.align.ProgramClasses;
import dev.lockstep.pass.region.align.RankText;
import dev.lockstep.pass.region.merge.AddedInput;
import dev.lockstep.pass.region.merge.MergeStep;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The repair of ranks that run several programs each: the n-th programs of all ranks are repaired
 * together.
 *
 * @param classes the n-th programs of all ranks, for each n
 * @param programs what became of them
 * @param problems what cannot be repaired
 */
public record RankRepair(
    ImmutableList<ProgramClasses> classes,
    ImmutableList<DivergenceRepair.Result> programs,
    ImmutableList<Diagnostic> problems) {

  /** Returns the repair of {@code ranks}, each with its programs in order. */
  public static RankRepair of(
      ImmutableList<ImmutableList<Module>> ranks, DeviceGrid grid, RepairOptions options) {
    int count = ranks.get(0).size();
    for (int rank = 0; rank < ranks.size(); rank++) {
      if (ranks.get(rank).size() != count) {
        return new RankRepair(
            ImmutableList.of(),
            ImmutableList.of(),
            ImmutableList.of(
                Diagnostic.error(
                    "repair-programs",
                    "rank 0 runs "
                        + RankText.counted(count, "program")
                        + " and rank "
                        + rank
                        + " "
                        + ranks.get(rank).size()
                        + ", so it is not known which belong together",
                    ranks.get(0).get(0).location())));
      }
    }
    ImmutableList.Builder<ProgramClasses> classes = ImmutableList.builder();
    ImmutableList.Builder<DivergenceRepair.Result> programs = ImmutableList.builder();
    ImmutableList.Builder<Diagnostic> problems = ImmutableList.builder();
    for (int i = 0; i < count; i++) {
      List<Module> column = new ArrayList<>();
      for (ImmutableList<Module> of : ranks) {
        column.add(of.get(i));
      }
      ProgramClasses each = ProgramClasses.of(column, grid);
      DivergenceRepair.Result result = DivergenceRepair.repair(each, options);
      classes.add(each);
      programs.add(result);
      problems.addAll(result.problems());
    }
    return new RankRepair(classes.build(), programs.build(), problems.build());
  }

  /** Returns the repaired programs of each rank, in order. */
  public ImmutableList<ImmutableList<Module>> ranks() {
    ImmutableList.Builder<ImmutableList<Module>> out = ImmutableList.builder();
    for (int rank = 0; rank < classes.get(0).world(); rank++) {
      ImmutableList.Builder<Module> of = ImmutableList.builder();
      for (DivergenceRepair.Result result : programs) {
        of.add(result.ranks().get(rank));
      }
      out.add(of.build());
    }
    return out.build();
  }

  /** Returns what was done, program by program. */
  public ImmutableList<MergeStep> steps() {
    return programs.stream()
        .flatMap(result -> result.steps().stream())
        .collect(ImmutableList.toImmutableList());
  }

  /** Returns the values of all added arguments of program {@code number}, by key. */
  public ImmutableMap<String, Literal> values(int number) {
    Map<String, Literal> out = new LinkedHashMap<>();
    ProgramClasses ranks = classes.get(number);
    for (AddedInput input : programs.get(number).inputs()) {
      for (int rank = 0; rank < ranks.world(); rank++) {
        out.put("in" + input.index() + ".dev" + rank, input.byClass().get(ranks.of(rank)));
      }
    }
    return ImmutableMap.copyOf(out);
  }
}
