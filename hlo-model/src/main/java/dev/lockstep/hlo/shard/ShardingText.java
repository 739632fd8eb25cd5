package dev.lockstep.hlo.shard;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;

/** Reads the texts of shardings, character by character; blanks mean nothing. */
final class ShardingText {
  private final String text;
  private int at;

  ShardingText(String text) {
    this.text = text;
  }

  private void blanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  /** Steps over {@code word} if it comes next. */
  boolean eat(String word) {
    blanks();
    if (!text.startsWith(word, at)) {
      return false;
    }
    at += word.length();
    return true;
  }

  /** Returns whether {@code word} comes next. */
  boolean comes(String word) {
    blanks();
    return text.startsWith(word, at);
  }

  void expect(String word) {
    if (!eat(word)) {
      throw error("'" + word + "'");
    }
  }

  boolean isAtEnd() {
    blanks();
    return at >= text.length();
  }

  IllegalArgumentException error(String expected) {
    String rest = text.substring(Math.min(at, text.length()));
    return new IllegalArgumentException(
        String.format(
            "the sharding '%s' has %s where %s must stand",
            text, rest.isEmpty() ? "its end" : "'" + rest + "'", expected));
  }

  int integer() {
    blanks();
    int begin = at;
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    if (begin == at || at - begin > 9) {
      at = begin;
      throw error("a number");
    }
    return Integer.parseInt(text.substring(begin, at));
  }

  /** Returns a list of integers separated by commas, up to {@code close}, which is stepped over. */
  ImmutableIntArray integers(String close) {
    ImmutableIntArray.Builder out = ImmutableIntArray.builder();
    if (eat(close)) {
      return out.build();
    }
    do {
      out.add(integer());
    } while (eat(","));
    expect(close);
    return out.build();
  }

  /** Returns a quoted string without its quotes. */
  String string() {
    expect("\"");
    int end = text.indexOf('"', at);
    if (end < 0) {
      throw error("a closing quote");
    }
    String out = text.substring(at, end);
    at = end + 1;
    return out;
  }

  /** Returns letters, digits, underscores, dots and dashes, at least one. */
  String word() {
    blanks();
    int begin = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "_.-$".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    if (begin == at) {
      throw error("a name");
    }
    return text.substring(begin, at);
  }

  /** Returns a symbol without its {@code @} and without quotes. */
  String symbol() {
    expect("@");
    return comes("\"") ? string() : word();
  }

  /** Returns words separated by commas, up to {@code close}, which is stepped over. */
  ImmutableList<String> words(String close) {
    ImmutableList.Builder<String> out = ImmutableList.builder();
    if (eat(close)) {
      return out.build();
    }
    do {
      out.add(word());
    } while (eat(","));
    expect(close);
    return out.build();
  }

  /** Steps over a balanced group of braces that comes next. */
  void skipBraces() {
    group('{', '}');
  }

  /** Returns a balanced group that comes next, with the signs around it. */
  String group(char open, char close) {
    expect(String.valueOf(open));
    int begin = at - 1;
    int depth = 1;
    boolean quoted = false;
    while (depth > 0) {
      if (at >= text.length()) {
        throw error("'" + close + "'");
      }
      char c = text.charAt(at++);
      if (c == '\\' && quoted) {
        at++;
      } else if (c == '"') {
        quoted = !quoted;
      } else if (!quoted) {
        depth += c == open ? 1 : c == close ? -1 : 0;
      }
    }
    return text.substring(begin, at);
  }
}
