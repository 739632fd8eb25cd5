package dev.lockstep.pass.region.match;

/** What is known of a job before it runs. */
public enum Verdict {
  /** Every rank comes to the end, and every collective gets like calls from all members. */
  MEET,
  /** The ranks stall, or pair calls that were not meant for each other. */
  DO_NOT_MEET,
  /** A condition decides that no rank's text does. */
  CANNOT_TELL
}
