package dev.lockstep.hlo.proto;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.text.hlo.HloFragments;

/** Walks along the text of an attribute that the IR keeps as text. */
final class TextScanner {
  private final String text;
  private final Location location;
  private int at;

  TextScanner(String text, Location location) {
    this.text = text;
    this.location = location;
  }

  /** Returns the next character after blanks and comments, or 0 at the end. */
  char peek() {
    while (at < text.length()
        && (Character.isWhitespace(text.charAt(at)) || text.startsWith("/*", at))) {
      int close = text.charAt(at) == '/' ? text.indexOf("*/", at + 2) : -1;
      at = text.charAt(at) != '/' ? at + 1 : close < 0 ? text.length() : close + 2;
    }
    return at < text.length() ? text.charAt(at) : 0;
  }

  /** Returns whether nothing but blanks is left. */
  boolean atEnd() {
    return peek() == 0 && at >= text.length();
  }

  /** Steps over {@code expected} if it is next. */
  boolean accept(String expected) {
    peek();
    if (text.startsWith(expected, at)) {
      at += expected.length();
      return true;
    }
    return false;
  }

  /** Steps over {@code expected}, which must be next. */
  void expect(String expected) {
    if (!accept(expected)) {
      throw error("expected '" + expected + "'");
    }
  }

  /** Returns an error about what is next. */
  DiagnosticException error(String message) {
    int end = Math.min(text.length(), at + 24);
    return DiagnosticException.error(
        "hlo-proto-attribute",
        message + " at '" + text.substring(Math.min(at, end), end) + "' of " + shortened(),
        location);
  }

  private String shortened() {
    return text.length() <= 120 ? text : text.substring(0, 120) + "...";
  }

  /** Returns whether an integer is next. */
  boolean atInteger() {
    char c = peek();
    return c == '-' || Character.isDigit(c);
  }

  /** Reads an integer. */
  long integer() {
    peek();
    int begin = at;
    if (at < text.length() && text.charAt(at) == '-') {
      at++;
    }
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    try {
      return Long.parseLong(text.substring(begin, at));
    } catch (NumberFormatException e) {
      at = begin;
      throw error("expected an integer");
    }
  }

  /** Reads integers with commas between them, maybe none. */
  ImmutableLongArray integers() {
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    while (atInteger()) {
      out.add(integer());
      if (!accept(",")) {
        break;
      }
    }
    return out.build();
  }

  /** Reads letters, digits, {@code _}, {@code -} and {@code .}. */
  String word() {
    peek();
    int begin = at;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (!Character.isLetterOrDigit(c) && c != '_' && c != '-' && c != '.' && c != '+') {
        break;
      }
      at++;
    }
    if (begin == at) {
      throw error("expected a word");
    }
    return text.substring(begin, at);
  }

  /** Returns whether {@code word}, and nothing that only begins with it, is next. */
  boolean atWord(String word) {
    peek();
    int end = at + word.length();
    return text.startsWith(word, at)
        && (end == text.length() || !Character.isJavaIdentifierPart(text.charAt(end)));
  }

  /** Reads a string in double quotes. */
  Attribute.Str string() {
    peek();
    int begin = at;
    expect("\"");
    while (at < text.length() && text.charAt(at) != '"') {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    expect("\"");
    return HloFragments.string(text.substring(begin, at));
  }

  /** Reads a name in single quotes. */
  String name() {
    expect("'");
    int end = text.indexOf('\'', at);
    if (end < 0) {
      throw error("expected a name in quotes");
    }
    String name = text.substring(at, end);
    at = end + 1;
    return name;
  }

  /** Reads up to the parenthesis or brace that closes the one that was just read. */
  String untilClosed() {
    int begin = at;
    int depth = 1;
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '"') {
        string();
        continue;
      }
      depth += c == '(' || c == '{' || c == '[' ? 1 : c == ')' || c == '}' || c == ']' ? -1 : 0;
      at++;
      if (depth == 0) {
        return text.substring(begin, at - 1);
      }
    }
    throw error("a bracket is not closed");
  }
}
