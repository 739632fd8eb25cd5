package dev.lockstep.handshake.simulate;

/**
 * How often a simulated network and its machines fail, in events per thousand.
 *
 * @param maxDelayNanos the longest time that a message is on its way; each link keeps its order
 * @param duplicate requests that arrive twice
 * @param cut messages after which the link breaks; what is on its way may still arrive, late
 * @param crash steps before which a rank's process ends
 * @param restart crashes after which the whole job begins again in the next epoch
 * @param coordinatorCrashes how often the coordinator is lost, with all it knows, in a run
 */
public record Faults(
    long maxDelayNanos, int duplicate, int cut, int crash, int restart, int coordinatorCrashes) {
  /** A network that only takes its time. */
  public static final Faults NONE = new Faults(2_000_000, 0, 0, 0, 0, 0);
}
