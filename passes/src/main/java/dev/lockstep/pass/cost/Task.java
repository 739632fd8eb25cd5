package dev.lockstep.pass.cost;

import com.google.common.collect.ImmutableSet;

/**
 * Something that takes time.
 *
 * @param kind which resources it keeps busy
 * @param seconds how long
 * @param compute for how long it computes
 * @param communication for how long it communicates, which may be at the same time
 * @param launch for how long segments inside it are started
 * @param temporary bytes that it needs only while it runs
 * @param segment which segment it is in
 * @param needs the tasks that must have ended before
 */
record Task(
    Kind kind,
    double seconds,
    double compute,
    double communication,
    double launch,
    long temporary,
    int segment,
    ImmutableSet<Integer> needs) {
  /** Which resources a task keeps busy. */
  enum Kind {
    COMPUTE,
    COMMUNICATE,
    /** Code that does both, a loop. */
    BOTH
  }
}
