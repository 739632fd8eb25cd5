package dev.lockstep.pass.region.align;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Ranks and numbers in words. */
public final class RankText {
  /** Runs of ranks after which a list says how many more there are. */
  private static final int MOST_RUNS = 6;

  private RankText() {}

  /** Returns {@code rank 3}, {@code ranks 0-2 and 5}; long lists are cut. */
  public static String of(List<Integer> ranks) {
    if (ranks.size() == 1) {
      return "rank " + ranks.get(0);
    }
    List<String> runs = new ArrayList<>();
    int shown = 0;
    for (int i = 0; i < ranks.size() && runs.size() < MOST_RUNS; ) {
      int end = i;
      while (end + 1 < ranks.size() && ranks.get(end + 1) == ranks.get(end) + 1) {
        end++;
      }
      runs.add(end == i ? "" + ranks.get(i) : ranks.get(i) + "-" + ranks.get(end));
      i = end + 1;
      shown = i;
    }
    int left = ranks.size() - shown;
    if (left > 0) {
      runs.add(left + " more");
    }
    return "ranks " + joined(runs);
  }

  /** Returns {@code a}, {@code a and b}, {@code a, b and c}. */
  public static String joined(List<String> words) {
    int last = words.size() - 1;
    return last < 1
        ? String.join("", words)
        : String.join(", ", words.subList(0, last)) + " and " + words.get(last);
  }

  /** Returns {@code 10,240}. */
  public static String number(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /** Returns {@code 1 op}, {@code 3 ops}. */
  public static String counted(long count, String noun) {
    return number(count) + " " + noun + (count == 1 ? "" : "s");
  }
}
