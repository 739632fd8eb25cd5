package dev.lockstep.handshake.simulate;

import com.google.common.collect.ImmutableList;
import dev.lockstep.handshake.client.Program;
import dev.lockstep.handshake.protocol.Stage;

/**
 * What the ranks of a simulated job do: each runs its steps in order, one after the other.
 *
 * @param stage when ranks ask
 * @param ranks each rank's steps
 */
public record Script(Stage stage, ImmutableList<ImmutableList<Step>> ranks) {
  /**
   * One thing that a rank does.
   *
   * @param program what it runs
   * @param eager whether its collectives are issued outside of a program
   * @param prepare how long it works before, in nanoseconds of simulated time
   * @param telling whether it tells that it gets on while it works
   */
  public record Step(Program program, boolean eager, long prepare, boolean telling) {}

  /** How many ranks. */
  public int world() {
    return ranks.size();
  }
}
