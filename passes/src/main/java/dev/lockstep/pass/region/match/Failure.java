package dev.lockstep.pass.region.match;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Diagnostic;

/**
 * Why it is not proven that the ranks meet.
 *
 * @param kind what happens
 * @param diagnostic the first place where ranks part, with the places of all ranks as notes
 * @param cycle ranks of which each waits for the next and the last for the first; empty when the
 *     wait is for a rank that has ended
 */
public record Failure(Kind kind, Diagnostic diagnostic, ImmutableList<Integer> cycle) {
  /** What happens. */
  public enum Kind {
    /** Ranks wait for each other, or for one that has ended, for ever. */
    STALL,
    /** Ranks go on, with results that nobody meant. */
    GARBAGE,
    /** A rank comes to a collective that has no group for it, and gives it nothing. */
    NO_GROUP,
    /** A condition decides that no rank's text does. */
    UNDECIDED,
    /** There are too many rounds to follow. */
    TOO_LONG
  }

  /** Returns whether it happens whatever values the program computes. */
  public boolean isCertain() {
    return kind == Kind.STALL || kind == Kind.GARBAGE || kind == Kind.NO_GROUP;
  }
}
