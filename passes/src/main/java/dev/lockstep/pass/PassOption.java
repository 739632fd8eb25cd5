package dev.lockstep.pass;

import static com.google.common.base.Preconditions.checkArgument;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One thing that can be set on a pass, <code>degenerate-collectives{assume-counts=true}</code>.
 *
 * @param <T> the type of its value
 */
public final class PassOption<T> {
  private final String name;
  private final String summary;
  private final T fallback;
  private final String expected;
  private final Function<String, @Nullable T> reader;

  private PassOption(
      String name,
      String summary,
      T fallback,
      String expected,
      Function<String, @Nullable T> reader) {
    checkArgument(
        name.matches("[a-z][a-z0-9]*(-[a-z0-9]+)*"), "an option is named in kebab-case: %s", name);
    this.name = name;
    this.summary = summary;
    this.fallback = fallback;
    this.expected = expected;
    this.reader = reader;
  }

  /** Returns an option that is {@code true} or {@code false}. */
  public static PassOption<Boolean> flag(String name, boolean fallback, String summary) {
    return new PassOption<>(name, summary, fallback, "true or false", PassOption::readFlag);
  }

  /** Returns an option that is an integer of at least {@code least}. */
  public static PassOption<Long> integer(String name, long fallback, long least, String summary) {
    return new PassOption<>(
        name, summary, fallback, "an integer of at least " + least, text -> readLong(text, least));
  }

  /** Returns an option that is one of {@code words}. */
  public static PassOption<String> word(
      String name, String fallback, String summary, String... words) {
    return new PassOption<>(
        name,
        summary,
        fallback,
        "one of " + String.join(", ", words),
        text -> java.util.Arrays.asList(words).contains(text) ? text : null);
  }

  private static @Nullable Boolean readFlag(String text) {
    return text.equals("true") ? Boolean.TRUE : text.equals("false") ? Boolean.FALSE : null;
  }

  private static @Nullable Long readLong(String text, long least) {
    if (!text.matches("-?[0-9]{1,18}")) {
      return null;
    }
    long value = Long.parseLong(text);
    return value >= least ? value : null;
  }

  /** Returns the name, kebab-case. */
  public String name() {
    return name;
  }

  /** Returns one line that says what it does. */
  public String summary() {
    return summary;
  }

  /** Returns the value when none is given. */
  public T fallback() {
    return fallback;
  }

  /** Returns what a value must be, in words for a diagnostic. */
  public String expected() {
    return expected;
  }

  /** Returns the value that {@code text} stands for, or null when it is none. */
  public @Nullable T read(String text) {
    return reader.apply(text);
  }
}
