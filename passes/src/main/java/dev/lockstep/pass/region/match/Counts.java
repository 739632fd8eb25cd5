package dev.lockstep.pass.region.match;

import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of rows that every member of an uneven exchange gives for itself: what one sends to
 * another, that other must expect.
 */
final class Counts {
  /** Two members that do not expect of each other what they do. */
  record Clash(Meeting.Arrival sender, long sent, Meeting.Arrival receiver, long expected) {}

  private Counts() {}

  static boolean agree(Meeting meeting) {
    return clash(meeting) == null;
  }

  /** Returns two members whose numbers clash; null when there are none, or no such numbers. */
  static @Nullable Clash clash(Meeting meeting) {
    if (meeting.arrivals.get(0).signature().own().isEmpty()) {
      return null;
    }
    Map<Integer, Meeting.Arrival> byRank = new HashMap<>();
    meeting.arrivals.forEach(arrival -> byRank.put(arrival.strand().rank(), arrival));
    ImmutableIntArray group = meeting.arrivals.get(0).signature().group();
    for (int i = 0; i < group.length(); i++) {
      for (int j = 0; j < group.length(); j++) {
        Meeting.Arrival sender = byRank.get(group.get(i));
        Meeting.Arrival receiver = byRank.get(group.get(j));
        if (sender == null || receiver == null) {
          continue;
        }
        long sent = count(sender, "send_counts", j);
        long expected = count(receiver, "recv_counts", i);
        if (sent != expected) {
          return new Clash(sender, sent, receiver, expected);
        }
      }
    }
    return null;
  }

  private static long count(Meeting.Arrival arrival, String name, int place) {
    ImmutableLongArray counts = arrival.signature().own().get(name);
    return counts == null || place >= counts.length() ? -1 : counts.get(place);
  }
}
