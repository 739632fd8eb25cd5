package dev.lockstep.lower;

/** How an average of integers is rounded. */
enum Rounding {
  /** Towards zero. */
  TRUNC,
  /** Towards minus infinity. */
  FLOOR
}
