package dev.lockstep.pass.region.repair;

import static com.google.common.base.Preconditions.checkArgument;

/**
 * How programs are repaired.
 *
 * @param literals what becomes of literals that differ
 * @param tableLimit the bytes up to which {@link Literals#AUTO} makes a table
 */
public record RepairOptions(Literals literals, long tableLimit) {
  /**
   * The bytes of a table from which an argument is better: every rank holds the whole table in its
   * text and in its memory, an argument holds only what the rank itself needs. Offsets, masks and
   * small lookup tables stay below it for thousands of ranks; weights do not.
   */
  public static final long DEFAULT_TABLE_LIMIT = 1 << 20;

  /** Tables up to the default size. */
  public static final RepairOptions DEFAULT = new RepairOptions(Literals.AUTO, DEFAULT_TABLE_LIMIT);

  /** What becomes of literals that differ. */
  public enum Literals {
    /** Tables while they are small, arguments otherwise. */
    AUTO,
    /** Constants with a row a rank. */
    TABLE,
    /** Additional arguments of the program. */
    INPUT
  }

  /** Checks the limit. */
  public RepairOptions {
    checkArgument(tableLimit >= 0, "the limit is not negative");
  }
}
