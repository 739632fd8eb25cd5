package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;

/** A place inside one token, for the readers of what stands inside. */
final class Cursor {
  final Source source;
  final byte[] bytes;
  int at;
  int end;

  Cursor(Source source) {
    this.source = source;
    this.bytes = source.bytes();
  }

  /** Moves to the range of another token. */
  Cursor over(int begin, int limit) {
    at = begin;
    end = limit;
    return this;
  }

  /** Skips blanks and comments and returns the next byte, or 0 at the end. */
  int peek() {
    while (at < end) {
      int c = bytes[at];
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == 11) {
        at++;
      } else if (c == '/' && at + 1 < end && bytes[at + 1] == '*') {
        at += 2;
        while (at + 1 < end && !(bytes[at] == '*' && bytes[at + 1] == '/')) {
          at++;
        }
        at = Math.min(at + 2, end);
      } else if (c == '/' && at + 1 < end && bytes[at + 1] == '/') {
        while (at < end && bytes[at] != '\n') {
          at++;
        }
      } else {
        return c;
      }
    }
    return 0;
  }

  /** Steps over {@code c} if it is next. */
  boolean accept(char c) {
    if (peek() == c && at < end) {
      at++;
      return true;
    }
    return false;
  }

  /** Steps over {@code c}, which must be next. */
  void expect(char c) {
    if (!accept(c)) {
      throw expected("'" + c + "'");
    }
  }

  /** Returns whether nothing but blanks is left. */
  boolean atEnd() {
    return peek() == 0 && at >= end;
  }

  /** Fails unless nothing but blanks is left. */
  void expectEnd() {
    if (!atEnd()) {
      throw expected("the end of the value");
    }
  }

  /** Returns whether a decimal integer is next. */
  boolean atInteger() {
    int c = peek();
    return c >= '0' && c <= '9' || c == '-' && at + 1 < end && isDigit(bytes[at + 1]);
  }

  /** Reads a decimal integer; beyond the signed range it may be an unsigned 64-bit one. */
  long integer() {
    if (!atInteger()) {
      throw expected("an integer");
    }
    int begin = at;
    boolean negative = bytes[at] == '-';
    if (negative) {
      at++;
    }
    long value = 0;
    while (at < end && isDigit(bytes[at])) {
      int digit = bytes[at] - '0';
      if (Long.compareUnsigned(value, 1844674407370955161L) > 0
          || value == 1844674407370955161L && digit > 5) {
        throw error(begin, at + 1, "this integer needs more than 64 bits");
      }
      value = value * 10 + digit;
      at++;
    }
    if (negative && value < 0 && value != Long.MIN_VALUE) {
      throw error(begin, at, "this integer needs more than 64 bits");
    }
    return negative ? -value : value;
  }

  /** Reads letters, digits, dots, dashes and underscores; empty when none is next. */
  String word() {
    peek();
    int begin = at;
    while (at < end && isWord(bytes[at])) {
      at++;
    }
    return source.text(begin, at);
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean isWord(int c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '_'
        || c == '.'
        || c == '-';
  }

  DiagnosticException expected(String what) {
    peek();
    if (at >= end) {
      return error(Math.max(0, end - 1), end, "expected " + what + " before the end of the value");
    }
    return error(at, at + 1, "expected " + what);
  }

  DiagnosticException error(int from, int to, String message) {
    return DiagnosticException.error("syntax", message, new Location(source, from, to));
  }
}
