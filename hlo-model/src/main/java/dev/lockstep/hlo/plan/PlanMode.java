package dev.lockstep.hlo.plan;

import java.util.Locale;
import java.util.Optional;

/** How much of a program is compiled at once. */
public enum PlanMode {
  /** Whole programs; right only where all ranks that meet compile the same. */
  FAT,
  /** Collectives apart from everything else, in program order; right wherever the ranks meet. */
  SKINNY,
  /** Whole but for the regions in which ranks differ. */
  AUTO;

  /** Returns the word in files and flags. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Returns the mode that {@code word} names. */
  public static Optional<PlanMode> of(String word) {
    for (PlanMode mode : values()) {
      if (mode.word().equals(word)) {
        return Optional.of(mode);
      }
    }
    return Optional.empty();
  }
}
