package dev.lockstep.handshake.coordinator;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How long a round should still wait, and whether waiting can help at all.
 *
 * <p>A round waits for ranks that have not come. Such a rank may itself wait in another round, for
 * others: then those count. At the end stand ranks that wait nowhere; while each of them has made
 * progress lately, waiting is right. Where none stands at the end, the rounds wait in a circle.
 *
 * @param until when the round should end as far as is known now
 * @param circle the rounds that wait for each other; empty if waiting can help
 * @param text who waits for whom in the circle
 */
record Patience(long until, ImmutableList<Round> circle, String text) {
  static Patience of(Round round, Coordinator coordinator, long deadlineNanos) {
    Set<Round> seen = new LinkedHashSet<>();
    ArrayDeque<Round> work = new ArrayDeque<>();
    seen.add(round);
    work.add(round);
    long lately = Long.MAX_VALUE;
    boolean end = false;
    StringBuilder text = new StringBuilder();
    while (!work.isEmpty()) {
      Round next = work.remove();
      ImmutableIntArray absent = next.absent();
      for (int i = 0; i < absent.length(); i++) {
        RankState rank = coordinator.rank(absent.get(i));
        if (rank.waits.isEmpty()) {
          end = true;
          long got = Math.max(rank.answeredAt, rank.progress == 0 ? 0 : rank.progressAt);
          lately = Math.min(lately, Math.max(next.openedAt, got));
          continue;
        }
        text.append(text.isEmpty() ? "" : "; ").append(Absence.describe(rank));
        for (Round other : rank.waits) {
          if (seen.add(other)) {
            work.add(other);
          }
        }
      }
    }
    return end
        ? new Patience(lately + deadlineNanos, ImmutableList.of(), "")
        : new Patience(0, ImmutableList.copyOf(seen), text.toString());
  }
}
