package dev.lockstep.pass.region.diff;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * Puts two sequences of keys side by side so that many equal ones match, in order.
 *
 * <p>Equal beginnings and ends match at once, which is all in the common case. What is left is
 * matched by Myers' greedy algorithm (An O(ND) Difference Algorithm, 1986) when few lines differ,
 * else at lines that stand once in both (patience), and between these again.
 */
final class Lcs {
  /** Lines that may differ before the search for the best match is given up. */
  private static final int MAX_DIFFERENCES = 600;

  private final long[] left;
  private final long[] right;
  private final int[] match;

  private Lcs(long[] left, long[] right) {
    this.left = left;
    this.right = right;
    this.match = new int[left.length];
    Arrays.fill(match, -1);
  }

  /** Returns for each key of {@code left} which of {@code right} it matches, -1 for none. */
  static int[] match(long[] left, long[] right) {
    Lcs lcs = new Lcs(left, right);
    lcs.match(0, left.length, 0, right.length);
    return lcs.match;
  }

  private void match(int leftFrom, int leftTo, int rightFrom, int rightTo) {
    int a = leftFrom;
    int b = rightFrom;
    while (a < leftTo && b < rightTo && left[a] == right[b]) {
      match[a++] = b++;
    }
    int aEnd = leftTo;
    int bEnd = rightTo;
    while (aEnd > a && bEnd > b && left[aEnd - 1] == right[bEnd - 1]) {
      match[--aEnd] = --bEnd;
    }
    if (a < aEnd && b < bEnd && !myers(a, aEnd, b, bEnd)) {
      anchors(a, aEnd, b, bEnd);
    }
  }

  /** Matches by the fewest differences; returns false when these are too many. */
  private boolean myers(int a0, int a1, int b0, int b1) {
    int n = a1 - a0;
    int m = b1 - b0;
    int limit = Math.min(MAX_DIFFERENCES, n + m);
    int[][] trace = new int[limit + 1][];
    int[] furthest = new int[2 * limit + 3];
    int middle = limit + 1;
    for (int d = 0; d <= limit; d++) {
      for (int k = -d; k <= d; k += 2) {
        int x =
            k == -d || k != d && furthest[middle + k - 1] < furthest[middle + k + 1]
                ? furthest[middle + k + 1]
                : furthest[middle + k - 1] + 1;
        int y = x - k;
        while (x < n && y < m && left[a0 + x] == right[b0 + y]) {
          x++;
          y++;
        }
        furthest[middle + k] = x;
        if (x >= n && y >= m) {
          trace[d] = Arrays.copyOfRange(furthest, middle - d - 1, middle + d + 2);
          walkBack(trace, d, n, m, a0, b0);
          return true;
        }
      }
      trace[d] = Arrays.copyOfRange(furthest, middle - d - 1, middle + d + 2);
    }
    return false;
  }

  /** Follows the furthest points back; row d of the trace holds diagonals -d-1 to d+1. */
  private void walkBack(int[][] trace, int differences, int n, int m, int a0, int b0) {
    int x = n;
    int y = m;
    for (int d = differences; d > 0; d--) {
      int[] before = trace[d - 1];
      int k = x - y;
      int down = at(before, d - 1, k + 1);
      int across = at(before, d - 1, k - 1);
      boolean insertion = k == -d || k != d && across < down;
      int previous = insertion ? k + 1 : k - 1;
      int fromX = insertion ? down : across;
      int fromY = fromX - previous;
      int startX = insertion ? fromX : fromX + 1;
      while (x > startX) {
        x--;
        y--;
        match[a0 + x] = b0 + y;
      }
      x = fromX;
      y = fromY;
    }
    while (x > 0) {
      x--;
      y--;
      match[a0 + x] = b0 + y;
    }
  }

  private static int at(int[] row, int d, int k) {
    int index = k + d + 1;
    return index < 0 || index >= row.length ? -1 : row[index];
  }

  /** Matches at keys that stand once on both sides, in the longest run of rising places. */
  private void anchors(int a0, int a1, int b0, int b1) {
    Map<Long, int[]> places = new HashMap<>();
    for (int a = a0; a < a1; a++) {
      int[] seen = places.computeIfAbsent(left[a], key -> new int[] {0, -1, 0, -1});
      seen[0]++;
      seen[1] = a;
    }
    for (int b = b0; b < b1; b++) {
      int[] seen = places.get(right[b]);
      if (seen != null) {
        seen[2]++;
        seen[3] = b;
      }
    }
    int[] candidates = new int[a1 - a0];
    int count = 0;
    for (int a = a0; a < a1; a++) {
      int[] seen = places.get(left[a]);
      if (seen != null && seen[0] == 1 && seen[2] == 1) {
        candidates[count++] = a;
      }
    }
    int[] run = rising(candidates, count, places);
    int fromA = a0;
    int fromB = b0;
    for (int a : run) {
      int[] place = places.get(left[a]);
      if (place != null) {
        match(fromA, a, fromB, place[3]);
        match[a] = place[3];
        fromA = a + 1;
        fromB = place[3] + 1;
      }
    }
    if (run.length > 0) {
      match(fromA, a1, fromB, b1);
    }
  }

  private int[] rising(int[] candidates, int count, Map<Long, int[]> places) {
    int[] tails = new int[count];
    int[] before = new int[count];
    int length = 0;
    for (int i = 0; i < count; i++) {
      int place = place(candidates[i], places);
      int low = 0;
      int high = length;
      while (low < high) {
        int mid = (low + high) >>> 1;
        if (place(candidates[tails[mid]], places) < place) {
          low = mid + 1;
        } else {
          high = mid;
        }
      }
      before[i] = low == 0 ? -1 : tails[low - 1];
      tails[low] = i;
      length = Math.max(length, low + 1);
    }
    int[] out = new int[length];
    int at = length == 0 ? -1 : tails[length - 1];
    for (int i = length - 1; i >= 0; i--) {
      out[i] = candidates[at];
      at = before[at];
    }
    return out;
  }

  private int place(int a, Map<Long, int[]> places) {
    int[] place = places.get(left[a]);
    return place == null ? -1 : place[3];
  }
}
