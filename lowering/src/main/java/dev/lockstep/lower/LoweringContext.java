package dev.lockstep.lower;

import java.util.OptionalInt;

/**
 * What a lowering knows beside the program.
 *
 * @param replicas number of replicas when the user said so; a module's own count must agree
 * @param partitions number of partitions when the user said so; a module's own count must agree
 * @param rendezvous whether sends block until their receive is posted, as NCCL's may
 */
public record LoweringContext(OptionalInt replicas, OptionalInt partitions, boolean rendezvous) {
  /** Nothing is known beside the program; sends do not block. */
  public static final LoweringContext UNKNOWN =
      new LoweringContext(OptionalInt.empty(), OptionalInt.empty(), false);

  /** Returns a context with both counts and sends that do not block. */
  public static LoweringContext of(int replicas, int partitions) {
    return new LoweringContext(OptionalInt.of(replicas), OptionalInt.of(partitions), false);
  }

  /** Returns this context with sends that block until received. */
  public LoweringContext withRendezvous() {
    return new LoweringContext(replicas, partitions, true);
  }
}
