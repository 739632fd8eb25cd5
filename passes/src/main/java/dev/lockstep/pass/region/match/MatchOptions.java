package dev.lockstep.pass.region.match;

/**
 * What is assumed of the machine.
 *
 * @param rendezvous whether a send waits until it is received
 * @param startsBlock whether a collective that is only started holds up what follows, as it does
 *     where all collectives share one queue
 */
public record MatchOptions(boolean rendezvous, boolean startsBlock) {
  /** Sends do not wait; collectives that are started run beside what follows. */
  public static final MatchOptions DEFAULT = new MatchOptions(false, false);
}
