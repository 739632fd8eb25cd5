package dev.lockstep.handshake.coordinator;

import dev.lockstep.handshake.protocol.Hello;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;

/**
 * Where a {@link Coordinator} puts what it has to say. Called while an event is handled, in a fixed
 * order; must not call the coordinator back.
 */
public interface CoordinatorOutput {
  /**
   * The rank is in the job.
   *
   * @param hello what let it in
   * @param nextSequence the number of the next request that is not known yet, or -1 when this
   *     coordinator knows nothing of the rank
   */
  void welcome(Link link, Hello hello, long nextSequence);

  /**
   * The rank is not heard; nothing more comes for it on this link.
   *
   * @param incarnation which process is meant
   */
  void refuse(Link link, int rank, long incarnation, Refusal refusal);

  /** The verdict on a rank's request. */
  void answer(Link link, int rank, long sequence, Verdict verdict);

  /**
   * The coordinator lives: the echo of a rank's sign of life.
   *
   * @param nextSequence the number of the rank's next request that is not known yet
   */
  void heard(Link link, int rank, long nextSequence);

  /** Something that a rank must know though it did not ask: others were told not to run. */
  void notice(Link link, int rank, Verdict verdict);
}
