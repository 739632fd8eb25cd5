package dev.lockstep.pass;

import static java.util.Objects.requireNonNull;

import com.google.common.collect.ImmutableMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The options that were given to one pass, as text in the order given.
 *
 * @param texts from name to text; every text is one that its option can read
 */
public record PassOptions(ImmutableMap<String, String> texts) {
  /** No option was given. */
  public static final PassOptions NONE = new PassOptions(ImmutableMap.of());

  /** Returns the value of {@code option}. */
  public <T> T get(PassOption<T> option) {
    String text = texts.get(option.name());
    return text == null ? option.fallback() : requireNonNull(option.read(text));
  }

  /** Returns whether {@code option} was given. */
  public boolean has(PassOption<?> option) {
    return texts.containsKey(option.name());
  }

  /** Returns the form in a pipeline: <code>{a=1,b=2}</code>, or nothing without options. */
  @Override
  public String toString() {
    return texts.isEmpty()
        ? ""
        : texts.entrySet().stream()
            .map((Map.Entry<String, String> e) -> e.getKey() + "=" + e.getValue())
            .collect(Collectors.joining(",", "{", "}"));
  }
}
