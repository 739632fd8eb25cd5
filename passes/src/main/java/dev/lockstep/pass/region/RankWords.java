package dev.lockstep.pass.region;

import com.google.common.collect.ImmutableSortedSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Ranks as messages name them. */
public final class RankWords {
  private static final int MAX_RUNS = 8;

  private RankWords() {}

  /** Returns {@code rank 3}, {@code ranks 0-2, 5}; of many runs the first and a count. */
  public static String of(Collection<Integer> ranks) {
    ImmutableSortedSet<Integer> sorted = ImmutableSortedSet.copyOf(ranks);
    List<String> runs = new ArrayList<>();
    int from = -1;
    int to = -2;
    for (int rank : sorted) {
      if (rank != to + 1) {
        add(from, to, runs);
        from = rank;
      }
      to = rank;
    }
    add(from, to, runs);
    String text =
        runs.size() <= MAX_RUNS
            ? String.join(", ", runs)
            : String.join(", ", runs.subList(0, MAX_RUNS)) + ", ... (" + sorted.size() + " ranks)";
    return (sorted.size() == 1 ? "rank " : "ranks ") + text;
  }

  private static void add(int from, int to, List<String> runs) {
    if (to < from || from < 0) {
      return;
    }
    if (to == from) {
      runs.add(Integer.toString(from));
    } else if (to == from + 1) {
      runs.add(Integer.toString(from));
      runs.add(Integer.toString(to));
    } else {
      runs.add(from + "-" + to);
    }
  }

  /** Returns a group as messages name it: {@code [0, 1, 2]}, {@code [0-4095]}. */
  public static String group(Collection<Integer> ranks) {
    String text = of(ranks);
    return "[" + text.substring(text.indexOf(' ') + 1) + "]";
  }

  /** Returns {@code s} when {@code count} is one: verbs of a subject that {@link #of} names. */
  public static String verbEnding(int count) {
    return count == 1 ? "s" : "";
  }
}
