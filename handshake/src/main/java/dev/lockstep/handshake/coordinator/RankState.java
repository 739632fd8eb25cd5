package dev.lockstep.handshake.coordinator;

import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Verdict;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the coordinator knows of one rank in the present epoch. */
final class RankState {
  /** Answers that are kept for a rank that connects again. */
  private static final int KEPT = 64;

  final int rank;
  long incarnation;

  /** The number of the process' last connection. */
  long connection;

  /** Whether any process has been let in as this rank in this epoch. */
  boolean known;

  /** The connection, or null while there is none. */
  @Nullable Link link;

  /** Why the rank is lost, or null. */
  @Nullable Reason lost;

  /** The number of the next request; -1 before the first is known. */
  long nextSequence = -1;

  /** When anything was heard last. */
  long heardAt;

  /** When the connection was lost. */
  long disconnectedAt;

  /** The highest progress that was told, and when it last rose. */
  long progress;

  long progressAt;

  /** When the rank last got a verdict: before that it could not get on. */
  long answeredAt;

  /** What the rank said it is doing. */
  String doing = "";

  /** Requests without an answer. */
  int pending;

  /** Open rounds that the rank waits for. */
  final List<Round> waits = new ArrayList<>(2);

  private final long[] answeredSequences = new long[KEPT];
  private final @Nullable Verdict[] answers = new @Nullable Verdict[KEPT];

  RankState(int rank) {
    this.rank = rank;
  }

  void keep(long sequence, Verdict verdict) {
    int slot = (int) (sequence % KEPT);
    answeredSequences[slot] = sequence;
    answers[slot] = verdict;
  }

  /** Returns the answer to an earlier request, or null if there was none or it is long ago. */
  @Nullable Verdict kept(long sequence) {
    int slot = (int) (sequence % KEPT);
    return answeredSequences[slot] == sequence ? answers[slot] : null;
  }
}
