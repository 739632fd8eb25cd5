package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.nio.charset.StandardCharsets;

/**
 * Bytes to tokens. It joins what belongs together, so that the grammar needs one token's lookahead:
 *
 * <ul>
 *   <li>{@code name =} is DEFINES, {@code name=} is KEY (XLA too tells them apart by the blank),
 *       {@code name:} is PARAMETER;
 *   <li>a shape with its layout, or a parenthesis that does not follow a name, is SHAPE;
 *   <li>what follows a KEY up to the comma outside all brackets is VALUE, unless it is a brace of
 *       an attribute that names computations;
 *   <li>after {@link #expectLiteral} everything up to the closing parenthesis is LITERAL.
 * </ul>
 */
final class HloLexer {
  private static final byte OTHER = 0;
  private static final byte BLANK = 1;
  private static final byte NAME_START = 2;
  private static final byte NAME_PART = 3;
  private static final byte[] CLASS = new byte[256];

  static {
    for (int c = 0; c < 256; c++) {
      if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == 11) {
        CLASS[c] = BLANK;
      } else if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_') {
        CLASS[c] = NAME_START;
      } else if (c >= '0' && c <= '9' || c == '.' || c == '-') {
        CLASS[c] = NAME_PART;
      } else {
        CLASS[c] = OTHER;
      }
    }
  }

  private final Source source;
  private final byte[] bytes;
  private final int length;
  private final SymbolTable names;
  private final SymbolTable shapes = new SymbolTable();
  private final Balance balance;
  private int position;
  private int last;
  private int depth;
  private boolean literalNext;
  private AttributeForm keyForm = AttributeForm.PLAIN;

  HloLexer(Source source, SymbolTable names) {
    this.source = source;
    this.bytes = source.bytes();
    this.length = bytes.length;
    this.names = names;
    this.balance = new Balance(source);
    keyword("HloModule", HloParser.MODULE);
    keyword("ENTRY", HloParser.ENTRY);
    keyword("ROOT", HloParser.ROOT);
    keyword("FileNames", HloParser.TABLE);
    keyword("FunctionNames", HloParser.TABLE);
    keyword("FileLocations", HloParser.TABLE);
    keyword("StackFrames", HloParser.TABLE);
  }

  private void keyword(String text, int type) {
    names.intern(text).keyword = type;
  }

  Source source() {
    return source;
  }

  /** Makes everything up to the parenthesis that closes the next one a single token. */
  void expectLiteral() {
    literalNext = true;
  }

  /** Reads the next token into {@code token}. */
  void read(HloToken token) {
    token.symbol = null;
    if (last == HloParser.KEY) {
      readValue(token);
    } else if (literalNext && last == HloParser.LPAREN) {
      readLiteral(token);
    } else {
      readPlain(token);
    }
    last = token.type;
  }

  private void readPlain(HloToken token) {
    int p = balance.skipBlanks(position);
    token.begin = p;
    if (p >= length) {
      finish(token, HloParser.EOF, p);
      return;
    }
    int c = bytes[p] & 0xFF;
    if (CLASS[c] == NAME_START || c == '%') {
      readName(token, p);
      return;
    }
    switch (c) {
      case '(' -> {
        if (last == HloParser.NAME) {
          finish(token, HloParser.LPAREN, p + 1);
        } else {
          readShape(token, p, balance.close(p));
        }
      }
      case ')' -> finish(token, HloParser.RPAREN, p + 1);
      case ',' -> finish(token, HloParser.COMMA, p + 1);
      case '{' -> {
        depth++;
        finish(token, HloParser.LBRACE, p + 1);
      }
      case '}' -> {
        depth--;
        finish(token, HloParser.RBRACE, p + 1);
      }
      case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-' -> readNumber(token, p);
      default -> throw unexpected(p);
    }
  }

  private void readNumber(HloToken token, int begin) {
    int p = begin + 1;
    if (bytes[begin] == '-' && p < length && bytes[p] == '>') {
      finish(token, HloParser.ARROW, p + 1);
      return;
    }
    while (p < length && bytes[p] >= '0' && bytes[p] <= '9') {
      p++;
    }
    if (bytes[begin] == '-' && p == begin + 1) {
      throw unexpected(begin);
    }
    finish(token, HloParser.NUMBER, p);
  }

  private void readName(HloToken token, int begin) {
    boolean percent = bytes[begin] == '%';
    int start = percent ? begin + 1 : begin;
    int p = start;
    int hash = 0;
    while (p < length && CLASS[bytes[p] & 0xFF] >= NAME_START) {
      hash = hash * 31 + bytes[p++];
    }
    if (p == start || CLASS[bytes[start] & 0xFF] == NAME_PART && !percent) {
      throw unexpected(begin);
    }
    int c = p < length ? bytes[p] : 0;
    if (!percent) {
      if (c == '=') {
        Symbol key = names.intern(bytes, start, p, hash);
        token.symbol = key;
        keyForm = AttributeForm.of(key);
        finish(token, HloParser.KEY, p + 1);
        return;
      }
      if (c == '[') {
        readShape(token, begin, layoutEnd(balance.close(p)));
        return;
      }
      if (c == '(' && p == start + 1 && bytes[start] == 'b' && last != HloParser.ROOT) {
        readShape(token, begin, balance.close(p));
        return;
      }
    }
    if (c == ':') {
      token.symbol = names.intern(bytes, start, p, hash);
      finish(token, HloParser.PARAMETER, p + 1);
      return;
    }
    if (c == '#') {
      do {
        hash = hash * 31 + bytes[p++];
      } while (p < length && (bytes[p] == '#' || bytes[p] >= '0' && bytes[p] <= '9'));
    }
    Symbol symbol = names.intern(bytes, start, p, hash);
    token.symbol = symbol;
    int next = c == ' ' || c == '=' || CLASS[c & 0xFF] == BLANK ? balance.skipBlanks(p) : p;
    if (next < length && bytes[next] == '=') {
      finish(token, HloParser.DEFINES, next + 1);
      return;
    }
    if (next < length && bytes[next] == '[' && !percent) {
      readShape(token, begin, layoutEnd(balance.close(next)));
      return;
    }
    int keyword = percent ? 0 : symbol.keyword;
    if (keyword == HloParser.ROOT && depth >= 0) {
      finish(token, keyword, p);
    } else if (keyword != 0 && depth == 0 && last != HloParser.MODULE && last != HloParser.ENTRY) {
      finish(token, keyword, keyword == HloParser.TABLE ? tableEnd(p) : p);
    } else {
      finish(token, HloParser.NAME, p);
    }
  }

  /** Returns the end of the lines that begin with a digit, from the line after {@code from}. */
  private int tableEnd(int from) {
    int end = from;
    int p = from;
    while (p < length) {
      int line = p;
      while (line < length && bytes[line] != '\n') {
        line++;
      }
      end = line;
      p = line + 1;
      int first = p;
      while (first < length && (bytes[first] == ' ' || bytes[first] == '\t')) {
        first++;
      }
      if (first >= length || bytes[first] < '0' || bytes[first] > '9') {
        break;
      }
    }
    return end;
  }

  /**
   * Returns the end of a layout at {@code p}, blanks before it included; a brace is one only before
   * a number or a colon.
   */
  private int layoutEnd(int p) {
    int brace = balance.skipBlanks(p);
    if (brace + 1 < length && bytes[brace] == '{') {
      int first = balance.skipBlanks(brace + 1);
      int c = first < length ? bytes[first] : 0;
      if (c >= '0' && c <= '9' || c == ':' || c == '}' && brace == p && last != HloParser.ARROW) {
        return balance.close(brace);
      }
    }
    return p;
  }

  private void readShape(HloToken token, int begin, int end) {
    token.symbol = shapes.intern(bytes, begin, end, SymbolTable.hash(bytes, begin, end));
    finish(token, HloParser.SHAPE, end);
  }

  private void readValue(HloToken token) {
    int p = balance.skipBlanks(position);
    token.begin = p;
    if (p < length && bytes[p] == '{' && keyForm == AttributeForm.COMPUTATIONS) {
      depth++;
      finish(token, HloParser.LBRACE, p + 1);
      return;
    }
    int end = balance.valueEnd(p, keyForm == AttributeForm.LITERAL);
    if (end == p) {
      throw unexpected(p);
    }
    finish(token, HloParser.VALUE, end);
  }

  private void readLiteral(HloToken token) {
    literalNext = false;
    int p = balance.skipBlanks(position);
    token.begin = p;
    int end = balance.inside(p);
    if (end == p) {
      finish(token, HloParser.RPAREN, p + 1);
    } else {
      finish(token, HloParser.LITERAL, end);
    }
  }

  private void finish(HloToken token, int type, int end) {
    token.type = type;
    token.end = end;
    position = end;
  }

  private DiagnosticException unexpected(int p) {
    if (p >= length) {
      return DiagnosticException.error(
          "syntax", "the text ends where more was expected", new Location(source, length, length));
    }
    int end = p + 1;
    while (end < length && (bytes[end] & 0xC0) == 0x80 && end < p + 4) {
      end++;
    }
    String text = new String(bytes, p, end - p, StandardCharsets.UTF_8);
    String shown =
        bytes[p] < 0x20 || text.indexOf('\uFFFD') >= 0
            ? String.format("byte 0x%02X", bytes[p] & 0xFF)
            : "'" + text + "'";
    return DiagnosticException.error("syntax", "unexpected " + shown, new Location(source, p, end));
  }
}
