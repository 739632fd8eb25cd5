package dev.lockstep.runtime.json;

import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Finds where a text stops being JSON, and what would have gone on there. Asked only when reading
 * failed, because the reader's own places are a byte off here and there.
 */
final class JsonGrammar {
  /**
   * Where and why.
   *
   * @param begin offset of the first byte that does not fit
   * @param end offset after it, or after the word that it begins
   * @param expected what would fit, in words
   */
  record Problem(int begin, int end, String expected) {}

  private final byte[] bytes;
  private int at;

  private JsonGrammar(byte[] bytes) {
    this.bytes = bytes;
  }

  /** Returns the first place at which {@code bytes}, UTF-8, are no JSON, or null. */
  static @Nullable Problem check(byte[] bytes) {
    return new JsonGrammar(bytes).problem();
  }

  private @Nullable Problem problem() {
    // What is open: '{' or '['.
    Deque<Byte> open = new ArrayDeque<>();
    boolean first = false;
    if (bytes.length >= 3 && bytes[0] == (byte) 0xEF) {
      at = 3;
    }
    while (true) {
      blanks();
      boolean closes = first && peek(open.getFirst() == '{' ? '}' : ']');
      if (!closes) {
        if (!open.isEmpty() && open.getFirst() == '{') {
          if (!string()) {
            return peek('"')
                ? openString()
                : here(first ? "a name in quotes or '}'" : "a name in quotes");
          }
          blanks();
          if (!take(':')) {
            return here("':'");
          }
          blanks();
        }
        if (peek('{') || peek('[')) {
          open.addFirst(bytes[at++]);
          first = true;
          continue;
        }
        if (!scalar()) {
          boolean mayEnd = first && !open.isEmpty() && open.getFirst() == '[';
          return peek('"') ? openString() : here(mayEnd ? "a value or ']'" : "a value");
        }
      }
      // After a value, or before the end of an empty list or object.
      blanks();
      while (!open.isEmpty() && take(open.getFirst() == '{' ? '}' : ']')) {
        open.removeFirst();
        blanks();
      }
      first = false;
      if (open.isEmpty()) {
        return at == bytes.length ? null : here("the end of the file");
      }
      if (!take(',')) {
        return here(open.getFirst() == '{' ? "',' or '}'" : "',' or ']'");
      }
    }
  }

  private Problem here(String expected) {
    int end = at;
    while (end < bytes.length && end - at < 40 && isWord(bytes[end])) {
      end++;
    }
    return new Problem(at, Math.min(bytes.length, Math.max(end, at + 1)), expected);
  }

  /** A string ends at the end of its line at the latest. */
  private Problem openString() {
    while (at < bytes.length && bytes[at] != '\n' && bytes[at] != '\r') {
      at++;
    }
    return new Problem(at, Math.min(bytes.length, at + 1), "the end of a string");
  }

  private boolean scalar() {
    return string() || number() || word("true") || word("false") || word("null");
  }

  private boolean word(String word) {
    for (int i = 0; i < word.length(); i++) {
      if (at + i >= bytes.length || bytes[at + i] != word.charAt(i)) {
        return false;
      }
    }
    if (at + word.length() < bytes.length && isWord(bytes[at + word.length()])) {
      return false;
    }
    at += word.length();
    return true;
  }

  private boolean string() {
    if (!peek('"')) {
      return false;
    }
    for (int i = at + 1; i < bytes.length && bytes[i] != '\n'; i++) {
      if (bytes[i] == '"') {
        at = i + 1;
        return true;
      }
      i += bytes[i] == '\\' ? 1 : 0;
    }
    return false;
  }

  private boolean number() {
    int end = at;
    end += end < bytes.length && bytes[end] == '-' ? 1 : 0;
    int digits = digits(end);
    if (digits == end || bytes[end] == '0' && digits > end + 1) {
      return false;
    }
    end = digits;
    if (end < bytes.length && bytes[end] == '.') {
      digits = digits(end + 1);
      if (digits == end + 1) {
        return false;
      }
      end = digits;
    }
    if (end < bytes.length && (bytes[end] == 'e' || bytes[end] == 'E')) {
      int sign = end + 1 < bytes.length && "+-".indexOf(bytes[end + 1]) >= 0 ? 2 : 1;
      digits = digits(end + sign);
      if (digits == end + sign) {
        return false;
      }
      end = digits;
    }
    if (end < bytes.length && isWord(bytes[end])) {
      return false;
    }
    at = end;
    return true;
  }

  private int digits(int begin) {
    int end = begin;
    while (end < bytes.length && bytes[end] >= '0' && bytes[end] <= '9') {
      end++;
    }
    return end;
  }

  private void blanks() {
    while (at < bytes.length && " \t\r\n".indexOf(bytes[at]) >= 0) {
      at++;
    }
  }

  private boolean peek(char c) {
    return at < bytes.length && bytes[at] == c;
  }

  private boolean take(char c) {
    boolean taken = peek(c);
    at += taken ? 1 : 0;
    return taken;
  }

  private static boolean isWord(byte b) {
    return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_';
  }
}
