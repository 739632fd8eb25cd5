package dev.lockstep.handshake.coordinator;

import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.handshake.protocol.RankText;
import dev.lockstep.handshake.protocol.Reason;
import dev.lockstep.handshake.protocol.Verdict;
import dev.lockstep.handshake.protocol.VerdictKind;
import java.util.ArrayList;
import java.util.List;

/** What is known of ranks that others wait for. */
final class Absence {
  private static final int MOST_RANKS = 4;

  private Absence() {}

  /** Returns the verdict on a round that waits for, or has heard, a rank that is lost. */
  static Verdict lost(Round round, RankState[] ranks) {
    ImmutableIntArray.Builder lost = ImmutableIntArray.builder();
    Reason reason = Reason.CONNECTION_LOST;
    for (int i = 0; i < round.party.members.size(); i++) {
      RankState rank = ranks[round.party.members.get(i)];
      if (rank.lost != null) {
        lost.add(rank.rank);
        reason = rank.lost;
      }
    }
    return Verdict.of(
        VerdictKind.PEER_LOST, reason, round.id, "lost: " + describe(lost.build(), ranks));
  }

  /** Returns what is known of ranks, in words; of many, the first few. */
  static String describe(ImmutableIntArray absent, RankState[] ranks) {
    List<String> words = new ArrayList<>();
    for (int i = 0; i < Math.min(MOST_RANKS, absent.length()); i++) {
      words.add(describe(ranks[absent.get(i)]));
    }
    if (absent.length() > MOST_RANKS) {
      words.add((absent.length() - MOST_RANKS) + " more");
    }
    return String.join("; ", words);
  }

  /** Returns what is known of a rank's state. */
  static String describe(RankState rank) {
    String name = "rank " + rank.rank + " ";
    if (!rank.known) {
      return name + "has never connected";
    }
    if (rank.lost != null) {
      return switch (rank.lost) {
        case LEFT -> name + "has left the job";
        case SILENT -> name + "is connected but has said nothing";
        default -> name + "has lost its connection";
      };
    }
    if (rank.link == null) {
      return name + "has lost its connection and may come back";
    }
    if (!rank.waits.isEmpty()) {
      Round round = rank.waits.get(0);
      return name
          + "waits in round "
          + round.id
          + " of "
          + round.party.members
          + " for "
          + RankText.of(round.absent());
    }
    return rank.doing.isEmpty()
        ? name + "is connected and has not asked"
        : name + "is " + rank.doing;
  }
}
