package dev.lockstep.handshake.protocol;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;

/**
 * The answer to an {@link Ask}: the same for every rank of the round.
 *
 * @param kind what may be done
 * @param reason why
 * @param round which round this was: rising numbers of one coordinator
 * @param cut for {@code PARTIAL}: which regions between collectives differ, in rising order
 * @param classes the ranks with equal programs, largest class first; empty when all are equal
 * @param text the reason in words, with ranks, groups and positions; never empty
 */
public record Verdict(
    VerdictKind kind,
    Reason reason,
    long round,
    ImmutableIntArray cut,
    ImmutableList<RankClass> classes,
    String text) {

  /** Ranks whose programs are equal. */
  public record RankClass(Fingerprint program, ImmutableIntArray ranks) {
    @Override
    public String toString() {
      return "ranks " + RankText.of(ranks) + " hold " + program;
    }
  }

  /** Returns a verdict without regions or classes. */
  public static Verdict of(VerdictKind kind, Reason reason, long round, String text) {
    return new Verdict(kind, reason, round, ImmutableIntArray.of(), ImmutableList.of(), text);
  }

  /** Whether both allow the same plan for a program. */
  public boolean sameOutcome(Verdict other) {
    return kind == other.kind && cut.equals(other.cut);
  }
}
