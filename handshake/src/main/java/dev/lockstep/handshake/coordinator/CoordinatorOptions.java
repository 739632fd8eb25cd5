package dev.lockstep.handshake.coordinator;

import java.time.Duration;

/**
 * What a coordinator is started with.
 *
 * @param job the job's name; ranks of another are refused
 * @param token what ranks must send; empty for none
 * @param world how many ranks
 * @param deadline how long a round waits for a participant that shows no progress
 * @param roundLimit how long a round waits at the most, progress or not
 * @param grace how long a lost connection may take to come back before its rank counts as lost
 * @param silence how long a connected rank may say nothing at all before it counts as lost
 * @param mostPending how many unanswered requests a rank may have
 * @param mostDefinitions how many groups, and how many programs, a connection may define
 * @param firstRound the number of the first round
 */
public record CoordinatorOptions(
    String job,
    String token,
    int world,
    Duration deadline,
    Duration roundLimit,
    Duration grace,
    Duration silence,
    int mostPending,
    int mostDefinitions,
    long firstRound) {

  /** Returns the usual options for a job of {@code world} ranks. */
  public static CoordinatorOptions of(String job, int world) {
    return new CoordinatorOptions(
        job,
        "",
        world,
        Duration.ofSeconds(60),
        Duration.ofHours(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(15),
        64,
        1 << 16,
        1);
  }

  /** Checks the numbers. */
  public CoordinatorOptions {
    if (world < 1) {
      throw new IllegalArgumentException("a job has at least one rank, not " + world);
    }
    for (Duration time : new Duration[] {deadline, roundLimit, grace, silence}) {
      if (time.isNegative()) {
        throw new IllegalArgumentException("a time limit is negative: " + time);
      }
    }
    if (mostPending < 1 || mostDefinitions < 1) {
      throw new IllegalArgumentException("limits must be positive");
    }
  }
}
