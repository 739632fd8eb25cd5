package dev.lockstep.pass.region.match;

import static java.util.Objects.requireNonNull;

import dev.lockstep.pass.region.RankPrograms;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs a job in every way that its branches can go, where one run does not tell.
 *
 * <p>A branch that all ranks take alike need not work out by itself: what one rank does in it,
 * another may do after it, and a second branch on the same value goes the same way. Then the job is
 * run from its start once for each body, with what chooses it taken to choose that body wherever it
 * comes up again.
 */
final class Ways {
  /** Runs after which a job is left undecided. */
  private static final int MAX_RUNS = 64;

  /**
   * What came of all ways.
   *
   * @param failure why the ranks do not meet in all of them, or null
   * @param simulation one of the runs
   * @param channelsDiffer whether members numbered channels differently in any
   */
  record Outcome(@Nullable Failure failure, Simulation simulation, boolean channelsDiffer) {}

  private final RankPrograms programs;
  private int runs;

  private Ways(RankPrograms programs) {
    this.programs = programs;
  }

  static Outcome run(RankPrograms programs, StepsOfJob job) {
    return new Ways(programs).run(job);
  }

  private Outcome run(StepsOfJob job) {
    List<Strand> strands = new ArrayList<>();
    for (int rank = 0; rank < programs.world(); rank++) {
      strands.add(new Strand(new Evaluator(rank, programs.grid()), programs.programs(rank)));
    }
    runs++;
    Simulation simulation = new Simulation(job, strands);
    Failure failure = simulation.run();
    Outcome outcome = new Outcome(failure, simulation, simulation.room().channelsDiffer());
    Strand open = failure == null || failure.isCertain() ? null : open(simulation);
    return open == null ? outcome : branch(job, open, outcome);
  }

  /**
   * Returns a rank that stands before a branch which all ranks that know its selector take alike.
   */
  private static @Nullable Strand open(Simulation simulation) {
    for (Strand strand : simulation.strands()) {
      if (strand.waiting instanceof Wait.ForBranch branch && branch.selector().origin() == null) {
        return strand;
      }
    }
    return null;
  }

  private Outcome branch(StepsOfJob job, Strand open, Outcome undecided) {
    Wait.ForBranch branch = (Wait.ForBranch) requireNonNull(open.waiting);
    Outcome meets = null;
    Outcome fails = null;
    boolean channelsDiffer = false;
    for (int body = 0; body < branch.enter().bodies().size(); body++) {
      if (runs >= MAX_RUNS) {
        return undecided;
      }
      Outcome way = run(job.assuming(branch.selector(), body));
      Failure failure = way.failure();
      if (failure != null && !failure.isCertain()) {
        return undecided;
      }
      channelsDiffer |= way.channelsDiffer();
      if (failure == null) {
        meets = way;
      } else {
        fails = fails == null ? way : fails;
      }
      if (meets != null && fails != null) {
        // The run that did not tell blames the end of a body; this one knows what comes of it.
        return new Outcome(
            Undecided.of(open, branch.selector(), fails.failure()), undecided.simulation(), false);
      }
    }
    Outcome one = requireNonNull(meets == null ? fails : meets);
    return new Outcome(one.failure(), one.simulation(), channelsDiffer);
  }
}
