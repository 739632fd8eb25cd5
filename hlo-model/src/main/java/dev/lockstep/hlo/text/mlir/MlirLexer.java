package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import org.antlr.v4.runtime.Token;

/**
 * Makes tokens from bytes. What a grammar of tokens would only slow down is one token: types, dense
 * literals, dialect attributes, locations, each with everything up to its closing bracket.
 */
final class MlirLexer {
  /** Deepest nesting within one token; deeper is garbage. */
  private static final int MAX_DEPTH = 256;

  private final Source source;
  private final byte[] bytes;
  private final int length;
  private final Symbols symbols;
  private final byte[] open = new byte[MAX_DEPTH];
  private int at;

  /** Creates a lexer of the first {@code length} bytes of {@code source}. */
  MlirLexer(Source source, int length, Symbols symbols) {
    this.source = source;
    this.bytes = source.bytes();
    this.length = length;
    this.symbols = symbols;
  }

  Source source() {
    return source;
  }

  /** Starts again at byte {@code offset}. */
  void moveTo(int offset) {
    at = offset;
  }

  /** Fills {@code token} with the next token. */
  void next(Tok token) {
    skipBlanks();
    token.begin = at;
    token.sym = null;
    token.index = -1;
    if (at >= length) {
      token.type = Token.EOF;
      token.end = length;
      return;
    }
    int c = bytes[at] & 0xFF;
    switch (Spelling.CLASS[c]) {
      case Spelling.LETTER -> word(token);
      case Spelling.DIGIT -> number(token);
      default -> other(token, c);
    }
    token.end = at;
  }

  private void skipBlanks() {
    while (at < length) {
      byte c = bytes[at];
      if (c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == 11 || c == 12) {
        at++;
      } else if (c == '/' && at + 1 < length && bytes[at + 1] == '/') {
        while (at < length && bytes[at] != '\n') {
          at++;
        }
      } else {
        return;
      }
    }
  }

  private void word(Tok token) {
    int begin = at;
    int i = begin + 1;
    while (i < length && Spelling.WORD[bytes[i] & 0xFF]) {
      i++;
    }
    if (i - begin == 5 && is(begin, "dense")) {
      i = bracketBehindBlanks(i);
    }
    at = i;
    if (i < length) {
      byte c = bytes[i];
      if (c == '<' && !dotted(begin, i)) {
        balanced(begin);
        token.type =
            is(begin, "dense") && at > i && !Spelling.WORD[bytes[begin + 5] & 0xFF]
                ? MlirText.DENSE
                : bracketed(begin, i);
        if (token.type != MlirText.DENSE) {
          token.sym = symbols.intern(begin, at);
        }
        return;
      }
      if (c == '(' && i - begin == 3 && is(begin, "loc")) {
        balanced(begin);
        token.type = MlirText.LOC;
        token.sym = symbols.intern(begin, at);
        return;
      }
      if (c == '[' && is(begin, "distinct[") && i - begin == 8) {
        balanced(begin);
        if (at < length && bytes[at] == '<') {
          balanced(at);
        }
        token.type = MlirText.RAW;
        token.sym = symbols.intern(begin, at);
        return;
      }
    }
    token.type = MlirText.WORD;
    token.sym = symbols.intern(begin, at);
  }

  /** Returns the offset of a bracket that follows {@code i} and blanks, else {@code i}. */
  private int bracketBehindBlanks(int i) {
    int next = i;
    while (next < length && (bytes[next] == ' ' || bytes[next] == '\n')) {
      next++;
    }
    return next < length && bytes[next] == '<' ? next : i;
  }

  /** Returns whether a word has a dot, as names of ops do and types do not. */
  private boolean dotted(int begin, int end) {
    for (int i = begin; i < end; i++) {
      if (bytes[i] == '.') {
        return true;
      }
    }
    return false;
  }

  /** Returns what kind of token {@code word<...>} is, {@code i} being the place of the bracket. */
  private int bracketed(int begin, int i) {
    switch (i - begin) {
      case 5:
        if (is(begin, "dense")) {
          return MlirText.DENSE;
        }
        if (is(begin, "array")) {
          return MlirText.ARRAY;
        }
        return MlirText.TYPE;
      case 6:
        return is(begin, "sparse") || is(begin, "opaque") ? MlirText.DENSE : MlirText.TYPE;
      case 10:
        return is(begin, "affine_map") || is(begin, "affine_set") ? MlirText.RAW : MlirText.TYPE;
      case 14:
        return is(begin, "dense_resource") ? MlirText.DENSE : MlirText.TYPE;
      default:
        return is(begin, "strided") ? MlirText.RAW : MlirText.TYPE;
    }
  }

  private boolean is(int begin, String text) {
    if (begin + text.length() > length) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (bytes[begin + i] != text.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  /** Moves behind the bracket that closes the next one; strings and arrows are skipped. */
  private void balanced(int begin) {
    int depth = 0;
    int i = at;
    while (i < length) {
      byte c = bytes[i++];
      if ((c == '<' || c == '>') && i < length && bytes[i] == '=') {
        // A comparison within an affine set.
        i++;
        continue;
      }
      switch (c) {
        case '<', '(', '[', '{' -> {
          if (depth == MAX_DEPTH) {
            throw error("nesting-too-deep", "nesting is deeper than " + MAX_DEPTH, i - 1, i);
          }
          open[depth++] = (byte) (c == '(' ? ')' : c + 2);
        }
        case ')', ']', '}', '>' -> {
          if (depth == 0 || open[depth - 1] != c) {
            throw error(
                "unbalanced",
                "expected '" + (depth == 0 ? '<' : (char) open[depth - 1]) + "' before this",
                i - 1,
                i);
          }
          if (--depth == 0) {
            at = i;
            return;
          }
        }
        case '"' -> i = string(i - 1);
        case '-' -> {
          if (i < length && bytes[i] == '>') {
            i++;
          }
        }
        default -> {}
      }
    }
    throw error(
        "unbalanced",
        "expected '" + (char) open[Math.max(0, depth - 1)] + "' to close this",
        begin,
        Math.min(length, begin + 1));
  }

  /** Returns the offset behind the string that begins at {@code begin}. */
  private int string(int begin) {
    int i = begin + 1;
    while (i < length) {
      byte c = bytes[i];
      if (c == '"') {
        return i + 1;
      }
      if (c == '\\') {
        i++;
      } else if (c == '\n') {
        break;
      }
      i++;
    }
    throw error(
        "unterminated-string", "expected '\"' in string literal", begin, Math.min(i, length));
  }

  private void number(Tok token) {
    int begin = at;
    int i = bytes[begin] == '-' ? begin + 1 : begin;
    token.type = MlirText.NUMBER;
    if (bytes[i] == '0'
        && i + 2 < length
        && bytes[i + 1] == 'x'
        && Character.digit(bytes[i + 2], 16) >= 0) {
      i += 2;
      while (i < length && Character.digit(bytes[i], 16) >= 0) {
        i++;
      }
    } else {
      i = digits(i);
      if (i < length && bytes[i] == '.') {
        token.type = MlirText.FLOAT;
        i = digits(i + 1);
        if (i < length && (bytes[i] == 'e' || bytes[i] == 'E')) {
          int sign = i + 1 < length && (bytes[i + 1] == '+' || bytes[i + 1] == '-') ? 1 : 0;
          if (i + 1 + sign < length
              && Spelling.CLASS[bytes[i + 1 + sign] & 0xFF] == Spelling.DIGIT) {
            i = digits(i + 1 + sign);
          }
        }
      }
    }
    at = i;
    token.sym = symbols.intern(begin, at);
  }

  private int digits(int from) {
    int i = from;
    while (i < length && bytes[i] >= '0' && bytes[i] <= '9') {
      i++;
    }
    return i;
  }

  private void other(Tok token, int c) {
    int begin = at;
    switch (c) {
      case '%' -> value(token);
      case '@' -> {
        at++;
        if (at < length && bytes[at] == '"') {
          at = string(at);
        } else {
          name(begin);
        }
        token.type = MlirText.SYMBOL;
        token.sym = symbols.intern(begin, at);
      }
      case '^' -> {
        at++;
        name(begin);
        token.type = MlirText.LABEL;
        token.sym = symbols.intern(begin, at);
      }
      case '#', '!' -> {
        at++;
        name(begin);
        if (at < length && bytes[at] == '<') {
          balanced(begin);
        }
        token.type = c == '#' ? MlirText.ATTR : MlirText.TYPE;
        token.sym = symbols.intern(begin, at);
      }
      case '"' -> {
        at = string(begin);
        token.type = MlirText.STRING;
        token.sym = symbols.intern(begin, at);
      }
      default -> punctuation(token, c);
    }
  }

  private void value(Tok token) {
    int begin = at++;
    name(begin);
    token.type = MlirText.VALUE;
    token.sym = symbols.intern(begin, at);
    if (at + 1 < length
        && bytes[at] == '#'
        && Spelling.CLASS[bytes[at + 1] & 0xFF] == Spelling.DIGIT) {
      int index = 0;
      for (at++; at < length && Spelling.CLASS[bytes[at] & 0xFF] == Spelling.DIGIT; at++) {
        index = Math.min(1 << 24, index * 10 + bytes[at] - '0');
      }
      token.index = index;
    }
  }

  private void name(int begin) {
    int from = at;
    while (at < length && Spelling.NAME[bytes[at] & 0xFF]) {
      // A trailing arrow is no part of a name: %x->...
      if (bytes[at] == '-' && at + 1 < length && bytes[at + 1] == '>') {
        break;
      }
      at++;
    }
    if (at == from) {
      throw error("invalid-name", "expected a name after '" + (char) bytes[begin] + "'", begin, at);
    }
  }

  private void punctuation(Tok token, int c) {
    byte next = at + 1 < length ? bytes[at + 1] : 0;
    int width = 1;
    switch (c) {
      case '(' -> token.type = MlirText.LPAREN;
      case ')' -> token.type = MlirText.RPAREN;
      case '{' -> token.type = MlirText.LBRACE;
      case '}' -> width = either(token, next == '>', MlirText.RPROPS, MlirText.RBRACE);
      case '[' -> token.type = MlirText.LBRACK;
      case ']' -> token.type = MlirText.RBRACK;
      case '<' -> width = either(token, next == '{', MlirText.LPROPS, MlirText.LESS);
      case '>' -> token.type = MlirText.GREATER;
      case ',' -> token.type = MlirText.COMMA;
      case ':' -> width = either(token, next == ':', MlirText.COLONS, MlirText.COLON);
      case '=' -> token.type = MlirText.EQ;
      case '+' -> token.type = MlirText.PLUS;
      case '*' -> token.type = MlirText.STAR;
      case '?' -> token.type = MlirText.QUESTION;
      case '-' -> {
        if (Spelling.CLASS[next & 0xFF] == Spelling.DIGIT) {
          number(token);
          return;
        }
        width = either(token, next == '>', MlirText.ARROW, MlirText.MINUS);
      }
      case '.' -> {
        boolean three = next == '.' && at + 2 < length && bytes[at + 2] == '.';
        token.type = three ? MlirText.ELLIPSIS : MlirText.OTHER;
        width = three ? 3 : 1;
      }
      default -> {
        token.type = MlirText.OTHER;
        while (at + width < length && (bytes[at + width] & 0xC0) == 0x80) {
          width++;
        }
      }
    }
    at += width;
  }

  private static int either(Tok token, boolean two, int ofTwo, int ofOne) {
    token.type = two ? ofTwo : ofOne;
    return two ? 2 : 1;
  }

  private DiagnosticException error(String code, String message, int begin, int end) {
    return DiagnosticException.error(code, message, new Location(source, begin, end));
  }

  /** Makes {@code token}, an opening bracket, one token up to the bracket that closes it. */
  void extend(Tok token) {
    at = token.begin;
    balanced(at);
    token.end = at;
    token.type = MlirText.RAW;
    token.sym = symbols.intern(token.begin, at);
  }
}
