package dev.lockstep.hlo.plan;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableSortedSet;

/**
 * What ranks have agreed on about one program: how much of it each may compile at once.
 *
 * <p>Collectives of a program are numbered from 0 in program order; region {@code i} is what stands
 * before collective {@code i}, and the last region what stands after all.
 *
 * @param kind the verdict
 * @param regions of a partial verdict, the regions in which ranks differ
 * @param reason words for people, may be empty
 */
public record SplitVerdict(Kind kind, ImmutableSortedSet<Integer> regions, String reason) {
  /** The verdicts. */
  public enum Kind {
    /** Programs are equal: each rank compiles its own whole. */
    FAT,
    /** Ranks meet, and differ: each collective apart. */
    SKINNY,
    /** Ranks meet, and differ in some regions: those apart. */
    PARTIAL,
    /** Programs become equal once repaired: each rank repairs, then compiles whole. */
    REPAIR
  }

  /** Checks that numbers are there where the verdict has any. */
  public SplitVerdict {
    checkArgument(
        (kind == Kind.PARTIAL) == !regions.isEmpty(),
        "regions belong to a partial verdict and to no other");
    checkArgument(regions.isEmpty() || regions.first() >= 0, "a region is numbered from 0");
  }
}
