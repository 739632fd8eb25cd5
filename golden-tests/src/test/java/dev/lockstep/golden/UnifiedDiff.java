package dev.lockstep.golden;

import com.google.common.collect.ImmutableList;

/** What must be done to one text to get another, line by line. */
public final class UnifiedDiff {
  private static final int CONTEXT = 3;

  private UnifiedDiff() {}

  /** Returns the difference, one line each with a leading space, minus or plus. */
  public static String of(String expected, String actual) {
    ImmutableList<String> a = expected.lines().collect(ImmutableList.toImmutableList());
    ImmutableList<String> b = actual.lines().collect(ImmutableList.toImmutableList());
    int[][] common = new int[a.size() + 1][b.size() + 1];
    for (int i = a.size() - 1; i >= 0; i--) {
      for (int j = b.size() - 1; j >= 0; j--) {
        common[i][j] =
            a.get(i).equals(b.get(j))
                ? common[i + 1][j + 1] + 1
                : Math.max(common[i + 1][j], common[i][j + 1]);
      }
    }
    ImmutableList.Builder<String> builder = ImmutableList.builder();
    int i = 0;
    int j = 0;
    while (i < a.size() || j < b.size()) {
      if (i < a.size() && j < b.size() && a.get(i).equals(b.get(j))) {
        builder.add(" " + a.get(i++));
        j++;
      } else if (j >= b.size() || i < a.size() && common[i + 1][j] >= common[i][j + 1]) {
        builder.add("-" + a.get(i++));
      } else {
        builder.add("+" + b.get(j++));
      }
    }
    return shortened(builder.build());
  }

  /** Returns the lines with long runs of equal ones left out. */
  private static String shortened(ImmutableList<String> lines) {
    StringBuilder out = new StringBuilder("--- expected\n+++ actual\n");
    boolean gap = false;
    for (int i = 0; i < lines.size(); i++) {
      boolean near = false;
      for (int k = Math.max(0, i - CONTEXT); k <= Math.min(lines.size() - 1, i + CONTEXT); k++) {
        near |= !lines.get(k).startsWith(" ");
      }
      if (near) {
        out.append(gap ? "@@ line " + (i + 1) + " @@\n" : "").append(lines.get(i)).append('\n');
      }
      gap = !near;
    }
    return out.toString();
  }
}
