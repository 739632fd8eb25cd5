package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.pass.region.fingerprint.RankClasses;
import org.jspecify.annotations.Nullable;

/**
 * Whether the ranks of a job meet, and what that allows.
 *
 * @param verdict whether they meet
 * @param failure why it is not proven that they do; null when they meet
 * @param warnings what the proof leaves to the machine
 * @param ranks how many ranks there are
 * @param groups how many sets of ranks meet
 * @param meetings how many meetings there are; a loop that all take together counts once
 * @param messages how many messages are sent, counted likewise
 * @param classes the ranks by what they run
 */
public record MatchReport(
    Verdict verdict,
    @Nullable Failure failure,
    ImmutableList<Diagnostic> warnings,
    int ranks,
    int groups,
    int meetings,
    int messages,
    RankClasses classes) {

  /**
   * Returns whether ranks may run their collectives in program order, each by itself: that is what
   * the proof is about.
   */
  public boolean licensesProgramOrder() {
    return verdict == Verdict.MEET;
  }

  /**
   * Returns whether ranks may compile their programs whole. XLA orders independent collectives of a
   * module as it likes, the same way only for the same module and options; so ranks that run
   * different programs may come to their collectives in different orders although the texts agree.
   */
  public boolean licensesWholePrograms() {
    return verdict == Verdict.MEET && classes.areEqual();
  }
}
