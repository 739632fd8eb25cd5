package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.diag.Diagnostic;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;

/** A place within a token that is taken apart by hand. */
final class Cursor {
  final Source source;
  final byte[] bytes;
  final int end;
  int at;

  Cursor(Source source, int begin, int end) {
    this.source = source;
    this.bytes = source.bytes();
    this.at = begin;
    this.end = end;
  }

  /** Skips blanks and comments. */
  void blanks() {
    while (at < end) {
      byte c = bytes[at];
      if (c == ' ' || c >= 9 && c <= 13) {
        at++;
      } else if (c == '/' && at + 1 < end && bytes[at + 1] == '/') {
        while (at < end && bytes[at] != '\n') {
          at++;
        }
      } else {
        return;
      }
    }
  }

  /** Returns the next byte that is not blank, or -1 at the end. */
  int peek() {
    blanks();
    return at < end ? bytes[at] : -1;
  }

  /** Moves over {@code text} if it comes next. */
  boolean eat(String text) {
    blanks();
    if (!startsWith(text)) {
      return false;
    }
    at += text.length();
    return true;
  }

  boolean startsWith(String text) {
    if (at + text.length() > end) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[at + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Moves over {@code text}, which must come next. */
  void expect(String text) {
    if (!eat(text)) {
      throw error("syntax", "expected '" + text + "'");
    }
  }

  /** Returns the word that comes next; empty when none does. */
  String word() {
    blanks();
    int begin = at;
    while (at < end && isWord(bytes[at])) {
      at++;
    }
    return text(begin, at);
  }

  private static boolean isWord(byte c) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || c == '_'
        || c == '.'
        || c == '$';
  }

  /** Returns the decimal number that comes next. */
  long integer() {
    blanks();
    int begin = at;
    if (at < end && bytes[at] == '-') {
      at++;
    }
    while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
      at++;
    }
    try {
      return Long.parseLong(text(begin, at));
    } catch (NumberFormatException e) {
      at = begin;
      throw error("syntax", "expected integer");
    }
  }

  /** Moves over the string that comes next and returns it with its quotes. */
  String string() {
    blanks();
    int begin = at;
    if (at >= end || bytes[at] != '"') {
      throw error("syntax", "expected string");
    }
    at++;
    while (at < end && bytes[at] != '"') {
      at += bytes[at] == '\\' ? 2 : 1;
    }
    at = Math.min(end, at + 1);
    return text(begin, at);
  }

  /** Moves to the next comma or closing bracket on this level and returns what is before it. */
  String item() {
    blanks();
    int begin = at;
    int depth = 0;
    while (at < end) {
      byte c = bytes[at];
      if (c == '"') {
        string();
        continue;
      }
      if (c == '-' && at + 1 < end && bytes[at + 1] == '>') {
        at += 2;
        continue;
      }
      if (c == '<' || c == '(' || c == '[' || c == '{') {
        depth++;
      } else if (c == '>' || c == ')' || c == ']' || c == '}') {
        if (depth-- == 0) {
          break;
        }
      } else if (c == ',' && depth == 0) {
        break;
      }
      at++;
    }
    int last = at;
    while (last > begin && bytes[last - 1] <= ' ') {
      last--;
    }
    return text(begin, last);
  }

  String text(int from, int to) {
    return source.text(from, to);
  }

  DiagnosticException error(String code, String message) {
    int to = Math.max(at, Math.min(at + 1, source.length()));
    return new DiagnosticException(Diagnostic.error(code, message, new Location(source, at, to)));
  }
}
