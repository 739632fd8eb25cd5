package dev.lockstep.handshake.protocol;

import com.google.common.primitives.ImmutableIntArray;

/** Lists of ranks in words, short where ranks follow each other. */
public final class RankText {
  private static final int MOST_RANGES = 12;

  private RankText() {}

  /** Returns rising {@code ranks} as {@code [0-3,8]}; of very ragged lists the first ranges. */
  public static String of(ImmutableIntArray ranks) {
    StringBuilder text = new StringBuilder("[");
    int ranges = 0;
    int i = 0;
    while (i < ranks.length()) {
      if (ranges == MOST_RANGES) {
        return text.append(",... ").append(ranks.length()).append(" in all]").toString();
      }
      int end = i;
      while (end + 1 < ranks.length() && ranks.get(end + 1) == ranks.get(end) + 1) {
        end++;
      }
      text.append(ranges == 0 ? "" : ",").append(ranks.get(i));
      if (end > i) {
        text.append(end == i + 1 ? "," : "-").append(ranks.get(end));
      }
      ranges++;
      i = end + 1;
    }
    return text.append(']').toString();
  }
}
