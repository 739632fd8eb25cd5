package dev.lockstep.golden;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import org.jspecify.annotations.Nullable;

/**
 * One case of a golden file.
 *
 * @param name snake_case, a sentence about what must happen
 * @param input the program; line 1 is the line below the case's header
 * @param sections expectations in the order written
 * @param directives those of the file, overridden by those that the case starts with
 * @param line the one-based line of the case's header in the file
 */
public record GoldenCase(
    String name,
    String input,
    ImmutableList<Section> sections,
    ImmutableMap<Directive, String> directives,
    int line) {

  /** What a golden file may say besides programs. */
  public enum Directive {
    /** The pipeline; without it the program is only read, verified and printed. */
    RUN,
    /** {@code replicas=2 partitions=1}: what the program runs on, and what passes are told. */
    GRID,
    /** The seed of the arguments; 1 without it. */
    SEED,
    /** Why the program cannot be executed. */
    NO_VALUES
  }

  /** Kinds of expectations. */
  public enum Kind {
    /** The whole text that the pipeline gives. */
    OUTPUT,
    /** The pipeline gives back the same module. */
    UNCHANGED,
    /** What a user sees on standard error. */
    DIAGNOSTICS,
    /** What every device computes. */
    VALUES
  }

  /**
   * An expectation.
   *
   * @param kind what it is about
   * @param text its lines, each with a line end
   */
  public record Section(Kind kind, String text) {}

  /** Returns the text of the section of {@code kind}, or null when the case has none. */
  public @Nullable String section(Kind kind) {
    for (Section section : sections) {
      if (section.kind() == kind) {
        return section.text();
      }
    }
    return null;
  }

  /** Returns the value of {@code directive}, or null. */
  public @Nullable String directive(Directive directive) {
    return directives.get(directive);
  }
}
