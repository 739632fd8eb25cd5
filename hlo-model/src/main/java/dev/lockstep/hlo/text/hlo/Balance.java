package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Finds ends of bracketed text without recursion, minding strings and comments. */
final class Balance {
  private static final byte[] DEVICE_IDS = "device_ids=".getBytes(StandardCharsets.US_ASCII);

  private final Source source;
  private final byte[] bytes;
  private final int length;

  Balance(Source source) {
    this.source = source;
    this.bytes = source.bytes();
    this.length = bytes.length;
  }

  /** Returns the first place from {@code p} on that is neither blank nor comment. */
  int skipBlanks(int p) {
    while (p < length) {
      int c = bytes[p];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == 11) {
        p++;
      } else if (c == '/' && p + 1 < length && (bytes[p + 1] == '/' || bytes[p + 1] == '*')) {
        p = comment(p);
      } else {
        return p;
      }
    }
    return p;
  }

  private int comment(int begin) {
    int p = begin + 2;
    if (bytes[begin + 1] == '/') {
      while (p < length && bytes[p] != '\n') {
        p++;
      }
      return p;
    }
    while (p + 1 < length && !(bytes[p] == '*' && bytes[p + 1] == '/')) {
      p++;
    }
    if (p + 1 >= length) {
      throw open(begin, begin + 2, "this comment is not closed");
    }
    return p + 2;
  }

  /** Returns the end of the string that begins at {@code begin} with either quote. */
  int string(int begin) {
    int quote = bytes[begin];
    int p = begin + 1;
    while (p < length && bytes[p] != quote) {
      p += bytes[p] == '\\' ? 2 : 1;
    }
    if (p >= length) {
      throw open(begin, begin + 1, "this string is not closed");
    }
    return p + 1;
  }

  /** Returns the end of the bracket that opens at {@code begin}. */
  int close(int begin) {
    int depth = 0;
    int p = begin;
    while (p < length) {
      switch (bytes[p]) {
        case '(', '[', '{' -> {
          depth++;
          p++;
        }
        case ')', ']', '}' -> {
          p++;
          if (--depth == 0) {
            return p;
          }
        }
        case '"' -> p = string(p);
        case '\'' -> p = axis(p);
        case '/' -> p = skipSlash(p);
        default -> p++;
      }
    }
    throw open(begin, begin + 1, "'" + (char) bytes[begin] + "' is not closed");
  }

  /** Returns where the bracket around {@code begin} closes, which is not stepped over. */
  int inside(int begin) {
    int p = begin;
    while (p < length) {
      switch (bytes[p]) {
        case '(', '[', '{' -> p = close(p);
        case ')', ']', '}' -> {
          return p;
        }
        case '"' -> p = string(p);
        case '/' -> p = skipSlash(p);
        default -> p++;
      }
    }
    throw open(begin > 0 ? begin - 1 : 0, begin, "this bracket is not closed");
  }

  /**
   * Returns the end of the attribute value at {@code begin}: a comma, a closing bracket or a blank
   * outside all brackets. After a mesh, and everywhere in a literal, blanks do not end it.
   */
  int valueEnd(int begin, boolean literal) {
    int p = begin;
    while (p < length) {
      switch (bytes[p]) {
        case '(', '[', '{' -> p = close(p);
        case ',' -> {
          if (bytes[begin] != 'm' || !startsWith(skipBlanks(p + 1), DEVICE_IDS)) {
            return p;
          }
          p++;
        }
        case ')', ']', '}' -> {
          return p;
        }
        case '"' -> p = string(p);
        case '\'' -> p = axis(p);
        case '\n', '\r' -> {
          return p;
        }
        case ' ', '\t' -> {
          int next = skipBlanks(p);
          boolean goesOn =
              literal
                  || bytes[begin] == 'm'
                      && next < length
                      && (bytes[next] == '{' || startsWith(next, DEVICE_IDS));
          if (!goesOn) {
            return p;
          }
          p = next;
        }
        default -> p++;
      }
    }
    return p;
  }

  private boolean startsWith(int p, byte[] word) {
    return p + word.length <= length
        && Arrays.equals(bytes, p, p + word.length, word, 0, word.length);
  }

  private int axis(int p) {
    // Axis names stand in single quotes; a lone apostrophe is a character like any other.
    for (int q = p + 1; q < length && bytes[q] != '\n'; q++) {
      if (bytes[q] == '\'') {
        return q + 1;
      }
    }
    return p + 1;
  }

  private int skipSlash(int p) {
    return p + 1 < length && (bytes[p + 1] == '*' || bytes[p + 1] == '/') ? comment(p) : p + 1;
  }

  private DiagnosticException open(int begin, int end, String message) {
    return DiagnosticException.error("syntax", message, new Location(source, begin, end));
  }
}
