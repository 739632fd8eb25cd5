package dev.lockstep.runtime.transport;

import com.google.common.primitives.ImmutableIntArray;

/**
 * Carries parcels between the ranks of a job, each of which is a process of its own.
 *
 * <p>What one rank sends another arrives once, whole, and in the order in which it was sent. Nobody
 * waits for ever: when a rank is lost, or when every rank waits for a parcel and none is on its
 * way, all that wait are told so.
 */
public interface Transport {
  /**
   * What a rank has sent this one.
   *
   * @param source the sender
   * @param bytes what it sent; the receiver's own
   */
  record Parcel(int source, byte[] bytes) {}

  /** Returns which rank this is. */
  int rank();

  /**
   * Sends {@code bytes}, which the caller gives up, to each of {@code targets}, this rank not among
   * them. May wait for room, never for somebody who receives.
   *
   * @throws TransportException if this rank has no part in the job any more
   */
  void send(ImmutableIntArray targets, byte[] bytes);

  /**
   * Returns the next parcel that has come for this rank; waits for one.
   *
   * @param where what this rank waits in, in words, for messages to the others
   * @param missing the ranks that are waited for, as far as they are known
   * @throws TransportException if a rank of the job is lost, or nothing can come any more because
   *     all wait
   */
  Parcel receive(String where, ImmutableIntArray missing);
}
