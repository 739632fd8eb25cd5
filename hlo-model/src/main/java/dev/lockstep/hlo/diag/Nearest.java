package dev.lockstep.hlo.diag;

import java.util.Optional;

/** Finds the name that somebody probably meant. */
public final class Nearest {
  private Nearest() {}

  /**
   * Returns the name of {@code names} that is nearest to {@code word}, the first of several, if one
   * is near: fewer than one character in three has to change.
   */
  public static Optional<String> of(String word, Iterable<String> names) {
    String best = null;
    int bestDistance = 1 + word.length() / 3;
    for (String name : names) {
      int distance = distance(word, name);
      if (distance < bestDistance) {
        best = name;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Returns the words "; did you mean 'x'?", or {@code otherwise} when no name is near. */
  public static String hint(String word, Iterable<String> names, String otherwise) {
    return of(word, names).map(name -> "; did you mean '" + name + "'?").orElse(otherwise);
  }

  /** Returns how many characters must be put in, taken out or replaced to get from a to b. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
