package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.ir.Module;
import dev.lockstep.pass.region.CollectiveSite;
import dev.lockstep.pass.region.CollectiveSites;
import dev.lockstep.pass.region.RankPrograms;
import dev.lockstep.pass.region.fingerprint.RankClasses;

/**
 * Proves that the ranks of a job meet: that all come to their ends, and that every collective gets
 * like calls from all members of its group; or finds the first place where they part.
 *
 * <p>Ranks meet by order: the n-th collective of a set of ranks on one member is the n-th on every
 * other. Messages match first in first out for each group, source, target and tag. A torch call and
 * a synchronous collective hold a rank up until its group is there; a send does not. Conditions
 * count as decided when constants and the rank's number decide them; a value that all members of a
 * meeting get, and what is computed from such values alone, is taken to be equal on them.
 */
public final class RankMatcher {
  private RankMatcher() {}

  /**
   * Returns whether the ranks of {@code programs} meet, in time linear in what they do.
   *
   * @throws dev.lockstep.hlo.diag.DiagnosticException if a group or peer makes no sense
   */
  public static MatchReport match(RankPrograms programs, MatchOptions options) {
    return match(programs, options, false);
  }

  /**
   * Returns whether the devices meet that all run the one text of {@code programs}, in which an
   * operation meets only itself, as XLA pairs operations of one module.
   */
  public static MatchReport matchOneText(RankPrograms programs, MatchOptions options) {
    return match(programs, options, true);
  }

  private static MatchReport match(RankPrograms programs, MatchOptions options, boolean oneText) {
    StepsOfJob job = new StepsOfJob(programs.grid(), options, oneText);
    Ways.Outcome outcome = Ways.run(programs, job);
    Failure failure = outcome.failure();
    ImmutableList.Builder<Diagnostic> warnings = ImmutableList.builder();
    if (failure == null && outcome.channelsDiffer()) {
      failure = ChannelOrder.failure(programs);
      if (failure == null) {
        warnings.add(ChannelOrder.warning(programs));
      }
    }
    if (failure == null && !options.startsBlock() && startsAny(programs)) {
      MatchOptions blocks = new MatchOptions(options.rendezvous(), true);
      Failure blocking = Ways.run(programs, job.with(blocks)).failure();
      if (blocking != null) {
        Diagnostic why = blocking.diagnostic();
        warnings.add(
            Diagnostic.warning(
                    "ranks-started-order",
                    "the ranks meet only where collectives that are started run beside each other;"
                        + " where they share one queue, "
                        + why.message(),
                    why.location())
                .withNote("see this order", why.location()));
      }
    }
    Verdict verdict =
        failure == null
            ? Verdict.MEET
            : failure.isCertain() ? Verdict.DO_NOT_MEET : Verdict.CANNOT_TELL;
    Simulation simulation = outcome.simulation();
    return new MatchReport(
        verdict,
        failure,
        warnings.build(),
        programs.world(),
        simulation.room().groups(),
        simulation.room().completed(),
        simulation.post().count(),
        RankClasses.of(programs));
  }

  private static boolean startsAny(RankPrograms programs) {
    for (Module module : programs.distinctModules()) {
      for (CollectiveSite site : CollectiveSites.of(module)) {
        if (site.done() != null) {
          return true;
        }
      }
    }
    return false;
  }
}
