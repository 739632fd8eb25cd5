package dev.lockstep.pass.region.diff;

import org.jspecify.annotations.Nullable;

/** Finds how a number depends on the rank. */
final class Offsets {
  private Offsets() {}

  /**
   * Returns an expression of {@code rank} that gives {@code byRank}, such as {@code 200 * rank},
   * {@code 8 - 2 * (rank % 4)} or {@code 16 * (rank / 2)}; null when there is none this simple.
   */
  static @Nullable String of(long[] byRank) {
    int world = byRank.length;
    String plain = linear(byRank, rank -> rank, "rank", world);
    if (plain != null) {
      return plain;
    }
    for (int parts = 2; parts < world; parts++) {
      if (world % parts != 0) {
        continue;
      }
      int size = parts;
      String within = linear(byRank, rank -> rank % size, "rank % " + size, size);
      if (within != null) {
        return within;
      }
      String across = linear(byRank, rank -> rank / size, "rank / " + size, world / size);
      if (across != null) {
        return across;
      }
    }
    return null;
  }

  private interface Place {
    int of(int rank);
  }

  /** Returns {@code start + step * place} when that gives all numbers; needs three places. */
  private static @Nullable String linear(long[] byRank, Place place, String words, int places) {
    long start = byRank[0];
    long step = 0;
    for (int rank = 0; rank < byRank.length; rank++) {
      if (place.of(rank) == 1) {
        step = byRank[rank] - start;
        break;
      }
    }
    if (step == 0 || places < 2) {
      return null;
    }
    for (int rank = 0; rank < byRank.length; rank++) {
      if (byRank[rank] != start + step * place.of(rank)) {
        return null;
      }
    }
    String product =
        Math.abs(step) == 1
            ? words
            : Math.abs(step) + " * " + (words.equals("rank") ? words : "(" + words + ")");
    if (start == 0) {
      return step < 0 ? "0 - " + product : product;
    }
    return start + (step < 0 ? " - " : " + ") + product;
  }
}
