package dev.lockstep.handshake.coordinator;

import dev.lockstep.handshake.protocol.RankList;
import dev.lockstep.handshake.protocol.Refusal;
import dev.lockstep.handshake.protocol.Verdict;

/** Who keeps logs and metrics of a {@link Coordinator}. Every method may be left as it is. */
public interface CoordinatorListener {
  /** Listens to nothing. */
  CoordinatorListener NONE = new CoordinatorListener() {};

  /** A rank was let in. */
  default void joined(int rank, long epoch, boolean again) {}

  /** A rank was refused. */
  default void refused(String link, int rank, Refusal refusal) {}

  /** A rank's request contradicts itself or what the rank said before; the rank is told. */
  default void rejected(String link, int rank, long sequence, Verdict verdict) {}

  /**
   * A peer was turned away before it said which rank it is.
   *
   * @param peer its address
   * @param code a short name, for counting
   */
  default void turnedAway(String peer, String code, String why) {}

  /** A rank's connection is gone; it may come back. */
  default void disconnected(int rank) {}

  /** A rank is lost to this epoch. */
  default void lost(int rank, String why) {}

  /**
   * A round has its verdict.
   *
   * @param nanos since the first participant asked
   */
  default void decided(RankList participants, Verdict verdict, long nanos) {}

  /** A message was dropped: late, of an old connection, or not understood. */
  default void dropped(String link, String why) {}

  /** A new epoch has begun. */
  default void epoch(long epoch) {}
}
