package dev.lockstep.handshake.simulate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.Verdict;

/**
 * What happened in a simulated job.
 *
 * @param verdicts every verdict that a rank's program was given, in order of time
 * @param violations what must never happen and did
 * @param lines the log: who, what, when
 */
public record Outcome(
    ImmutableList<Given> verdicts, ImmutableList<String> violations, ImmutableList<String> lines) {

  /**
   * A verdict as a rank's program got it.
   *
   * @param before how many collectives of the program's participants this rank had issued before
   * @param local whether the client gave it without asking, from an earlier one
   */
  public record Given(
      long epoch,
      int rank,
      int step,
      Program program,
      long before,
      Verdict verdict,
      boolean local,
      long waitedNanos) {}
}
