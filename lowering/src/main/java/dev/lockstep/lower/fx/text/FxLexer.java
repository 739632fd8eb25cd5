package dev.lockstep.lower.fx.text;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.antlr.v4.runtime.Token;

/**
 * Tokens of a graph's lines. Blanks and comments are skipped; line ends count only outside
 * brackets. Places are those of the source, however much stands between the lines.
 */
final class FxLexer {
  private static final String OPERATORS = "+/%&|^<>=!~@";

  private final Source source;
  private final byte[] bytes;
  private final GraphLines.Section lines;
  private final Map<String, String> words = new HashMap<>();
  private int line;
  private int at;
  private int end;
  private int depth;

  FxLexer(Source source, GraphLines.Section lines) {
    this.source = source;
    this.bytes = source.bytes();
    this.lines = lines;
    this.at = lines.begins().get(0);
    this.end = lines.ends().get(0);
  }

  private boolean nextLine() {
    if (line + 1 >= lines.begins().length()) {
      return false;
    }
    line++;
    at = lines.begins().get(line);
    end = lines.ends().get(line);
    return true;
  }

  Source source() {
    return source;
  }

  /** Makes {@code token} the next one. */
  void next(FxToken token) {
    skip();
    token.begin = at;
    token.column = at - lines.bases().get(line);
    token.text = "";
    if (at >= end) {
      token.type = Token.EOF;
      token.end = at;
      return;
    }
    char c = (char) bytes[at];
    if (c == '\n') {
      at++;
      token.type = FxText.NEWLINE;
    } else if (isStart(c)) {
      word(token);
    } else if (isDigit(c) || c == '.' && at + 1 < end && isDigit((char) bytes[at + 1])) {
      number(token);
    } else if (c == '"' || c == '\'') {
      string(token, c);
    } else if (c == '<' && lambda()) {
      token.type = FxText.NAME;
      token.text = "lambda";
      at += "<lambda>".length();
    } else {
      punctuation(token, c);
    }
    token.end = at;
  }

  private boolean lambda() {
    String name = "<lambda>";
    for (int i = 0; i < name.length(); i++) {
      if (at + i >= end || bytes[at + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private void skip() {
    while (at < end || nextLine()) {
      if (at >= end) {
        // The last line may hold nothing but its beginning.
        continue;
      }
      byte c = bytes[at];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\n' && depth > 0) {
        at++;
      } else if (c == '#') {
        while (at < end && bytes[at] != '\n') {
          at++;
        }
      } else if (c == '\\' && at + 1 < end && bytes[at + 1] == '\n') {
        at += 2;
      } else {
        return;
      }
    }
  }

  private void word(FxToken token) {
    int begin = at;
    while (at < end && (isStart((char) bytes[at]) || isDigit((char) bytes[at]))) {
      at++;
    }
    String text = new String(bytes, begin, at - begin, StandardCharsets.UTF_8);
    token.text = words.computeIfAbsent(text, same -> same);
    token.type =
        switch (text) {
          case "class" -> FxText.CLASS;
          case "def" -> FxText.DEF;
          case "return" -> FxText.RETURN;
          default -> FxText.NAME;
        };
  }

  private void number(FxToken token) {
    int begin = at;
    boolean hex = bytes[at] == '0' && at + 1 < end && (bytes[at + 1] | 32) == 'x';
    at += hex ? 2 : 0;
    while (at < end) {
      char c = (char) bytes[at];
      boolean sign = (c == '+' || c == '-') && !hex && (bytes[at - 1] | 32) == 'e';
      if (!sign && c != '.' && c != '_' && !isDigit(c) && !isLetter(c)) {
        break;
      }
      at++;
    }
    token.type = FxText.NUMBER;
    token.text = new String(bytes, begin, at - begin, StandardCharsets.US_ASCII);
  }

  private void string(FxToken token, char quote) {
    int begin = ++at;
    StringBuilder out = null;
    int copied = begin;
    while (at < end && bytes[at] != quote && bytes[at] != '\n') {
      if (bytes[at] == '\\' && at + 1 < end) {
        out = out == null ? new StringBuilder() : out;
        out.append(new String(bytes, copied, at - copied, StandardCharsets.UTF_8));
        out.append(escape((char) bytes[at + 1]));
        at += 2;
        copied = at;
      } else {
        at++;
      }
    }
    if (at >= end || bytes[at] != quote) {
      throw DiagnosticException.error(
          "syntax", "the string has no end", new Location(source, begin - 1, at));
    }
    String rest = new String(bytes, copied, at - copied, StandardCharsets.UTF_8);
    token.text = out == null ? rest : out + rest;
    token.type = FxText.STRING;
    at++;
  }

  private static char escape(char c) {
    return switch (c) {
      case 'n' -> '\n';
      case 't' -> '\t';
      default -> c;
    };
  }

  private void punctuation(FxToken token, char c) {
    at++;
    switch (c) {
      case '(' -> open(token, FxText.LPAREN);
      case '[' -> open(token, FxText.LBRACK);
      case '{' -> open(token, FxText.LBRACE);
      case ')' -> close(token, FxText.RPAREN);
      case ']' -> close(token, FxText.RBRACK);
      case '}' -> close(token, FxText.RBRACE);
      case ',' -> token.type = FxText.COMMA;
      case ':' -> token.type = FxText.COLON;
      case ';' -> token.type = FxText.SEMI;
      case '.' -> dots(token);
      case '-' -> minus(token);
      default -> operator(token, c);
    }
  }

  private void open(FxToken token, int type) {
    token.type = type;
    depth++;
  }

  private void close(FxToken token, int type) {
    token.type = type;
    depth = Math.max(0, depth - 1);
  }

  private void dots(FxToken token) {
    if (at + 1 < end && bytes[at] == '.' && bytes[at + 1] == '.') {
      at += 2;
      token.type = FxText.ELLIPSIS;
    } else {
      token.type = FxText.DOT;
    }
  }

  private void minus(FxToken token) {
    if (at < end && bytes[at] == '>') {
      at++;
      token.type = FxText.ARROW;
    } else {
      token.type = FxText.MINUS;
    }
  }

  private void operator(FxToken token, char c) {
    int begin = at - 1;
    if (c != '*' && OPERATORS.indexOf(c) < 0) {
      token.type = FxText.OTHER;
      return;
    }
    while (at < end && at - begin < 2 && isSecond(c, (char) bytes[at])) {
      at++;
    }
    token.text = new String(bytes, begin, at - begin, StandardCharsets.US_ASCII);
    token.type =
        switch (token.text) {
          case "=" -> FxText.EQ;
          case "*" -> FxText.STAR;
          case "~" -> FxText.TILDE;
          default -> FxText.OPERATOR;
        };
  }

  private static boolean isSecond(char first, char second) {
    return second == '=' && "<>=!".indexOf(first) >= 0
        || second == first && "*/<>".indexOf(first) >= 0;
  }

  private static boolean isStart(char c) {
    return isLetter(c) || c == '_' || c > 127;
  }

  private static boolean isLetter(char c) {
    return (c | 32) >= 'a' && (c | 32) <= 'z';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }
}
