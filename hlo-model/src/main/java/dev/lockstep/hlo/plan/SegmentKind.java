package dev.lockstep.hlo.plan;

import java.util.Locale;
import java.util.Optional;

/** What a segment holds. */
public enum SegmentKind {
  /** No communication. */
  COMPUTE,
  /** Communication, and nothing that computes. */
  COLLECTIVE,
  /** Both; the compiler may overlap them. */
  MIXED;

  /** Returns the word in files. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the kind that {@code word} names. */
  public static Optional<SegmentKind> of(String word) {
    for (SegmentKind kind : values()) {
      if (kind.word().equals(word)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
