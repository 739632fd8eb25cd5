package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableMap;
import java.util.Set;

/**
 * Arithmetic on sizes as it stands in a graph's types: {@code 2*s0}, {@code ((s0 - 1)//2) + 1},
 * {@code Max(1, s0)}. A reader of one text from left to right.
 */
final class Sizes {
  /** A size cannot be read; the message says why. */
  static final class Unreadable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unreadable(String message) {
      super(message);
    }
  }

  private final String text;
  private final ImmutableMap<String, Long> bindings;
  private final Set<String> unbound;
  private int at;

  /**
   * Creates a reader.
   *
   * @param unbound gets the symbols that {@code bindings} lack; they count as 1
   */
  Sizes(String text, ImmutableMap<String, Long> bindings, Set<String> unbound) {
    this.text = text;
    this.bindings = bindings;
    this.unbound = unbound;
  }

  /** Returns the rest of the text. */
  String rest() {
    return text.substring(at);
  }

  /** Skips blanks and returns whether {@code c} follows, which is then taken. */
  boolean take(char c) {
    blanks();
    boolean found = at < text.length() && text.charAt(at) == c;
    at += found ? 1 : 0;
    return found;
  }

  private boolean take(String word) {
    blanks();
    boolean found = text.startsWith(word, at);
    at += found ? word.length() : 0;
    return found;
  }

  private void blanks() {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
  }

  private void expect(char c) {
    if (!take(c)) {
      throw new Unreadable("expected '" + c + "' at '" + rest() + "' in '" + text + "'");
    }
  }

  /** Returns the word that follows; empty when none does. */
  String word() {
    blanks();
    int begin = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || text.charAt(at) == '_')) {
      at++;
    }
    return text.substring(begin, at);
  }

  /** Returns the value of the expression that follows. */
  long sum() {
    long value = product();
    while (true) {
      if (take('+')) {
        value = Math.addExact(value, product());
      } else if (take('-')) {
        value = Math.subtractExact(value, product());
      } else {
        return value;
      }
    }
  }

  private long product() {
    long value = power();
    while (true) {
      if (take("//") || take('/')) {
        value = Math.floorDiv(value, divisor(power()));
      } else if (take('%')) {
        value = Math.floorMod(value, divisor(power()));
      } else if (!text.startsWith("**", at) && take('*')) {
        value = Math.multiplyExact(value, power());
      } else {
        return value;
      }
    }
  }

  private long divisor(long value) {
    if (value == 0) {
      throw new Unreadable("division by zero in '" + text + "'");
    }
    return value;
  }

  private long power() {
    long value = atom();
    return take("**") ? raised(value, power()) : value;
  }

  private static long raised(long base, long exponent) {
    long out = 1;
    for (long i = 0; i < exponent; i++) {
      out = Math.multiplyExact(out, base);
    }
    return out;
  }

  private long atom() {
    if (take('-')) {
      return -power();
    }
    if (take('(')) {
      long value = sum();
      expect(')');
      return value;
    }
    String word = word();
    if (word.isEmpty()) {
      throw new Unreadable("expected a size at '" + rest() + "' in '" + text + "'");
    }
    if (Character.isDigit(word.charAt(0))) {
      try {
        return Long.parseLong(word);
      } catch (NumberFormatException e) {
        throw new Unreadable("'" + word + "' is no size in '" + text + "'");
      }
    }
    if (take('(')) {
      return function(word);
    }
    Long bound = bindings.get(word);
    if (bound == null) {
      unbound.add(word);
    }
    return bound == null ? 1 : bound;
  }

  private long function(String name) {
    long value = sum();
    while (take(',')) {
      long next = sum();
      value =
          switch (name) {
            case "Max" -> Math.max(value, next);
            case "Min" -> Math.min(value, next);
            case "Mod", "PythonMod" -> Math.floorMod(value, divisor(next));
            case "FloorDiv", "CleanDiv" -> Math.floorDiv(value, divisor(next));
            case "CeilDiv" -> -Math.floorDiv(-value, divisor(next));
            case "PowByNatural" -> raised(value, next);
            case "IntTrueDiv", "TruncToInt" -> value / divisor(next);
            default -> throw new Unreadable("'" + name + "' is not known in '" + text + "'");
          };
    }
    expect(')');
    return value;
  }
}
