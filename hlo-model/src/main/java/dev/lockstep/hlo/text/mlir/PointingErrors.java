package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.text.FirstError;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Ends reading at the first syntax error with a diagnostic that says what could stand there. */
final class PointingErrors extends FirstError {
  private static final int MANY = 8;

  private final Source source;

  PointingErrors(Source source) {
    this.source = source;
  }

  @Override
  protected DiagnosticException unexpected(Parser parser) {
    return unexpected(source, (Tok) parser.getCurrentToken(), describe(parser.getExpectedTokens()));
  }

  /** Returns the error of finding {@code got} where {@code expected} had to be. */
  static DiagnosticException unexpected(Source source, Tok got, String expected) {
    String found =
        got.type == Token.EOF
            ? "end of file"
            : "'" + shortened(source.text(got.begin, Math.min(got.end, got.begin + 200))) + "'";
    int end = got.type == Token.EOF ? got.begin : got.end;
    return DiagnosticException.error(
        "syntax", "expected " + expected + ", got " + found, new Location(source, got.begin, end));
  }

  /** Returns the beginning of {@code text}. */
  static String shortened(String text) {
    String line = text.lines().findFirst().orElse("");
    return line.length() > 40 ? line.substring(0, 40) + "..." : line;
  }

  private static String describe(IntervalSet expected) {
    List<String> names = new ArrayList<>();
    for (int type : expected.toList()) {
      String name = name(type);
      if (!name.isEmpty() && !names.contains(name)) {
        names.add(name);
      }
    }
    if (names.isEmpty()) {
      return "something else";
    }
    if (names.contains("operation name")) {
      return names.contains("'}'") ? "an operation or '}'" : "an operation";
    }
    if (names.size() > MANY && names.contains("string")) {
      return "an attribute value";
    }
    return names.size() == 1
        ? names.get(0)
        : String.join(", ", names.subList(0, names.size() - 1))
            + " or "
            + names.get(names.size() - 1);
  }

  /** Returns the name of a token in messages; empty for those that are never worth naming. */
  static String name(int type) {
    return switch (type) {
      case Token.EOF -> "end of file";
      case MlirText.WORD -> "a word";
      case MlirText.FORM, MlirText.FUNCTION, MlirText.MODULE -> "operation name";
      case MlirText.ATTRIBUTES -> "'attributes'";
      case MlirText.VISIBILITY -> "a visibility";
      case MlirText.VALUE -> "SSA operand";
      case MlirText.SYMBOL -> "symbol name";
      case MlirText.LABEL -> "block name";
      case MlirText.NUMBER -> "integer";
      case MlirText.FLOAT -> "floating point number";
      case MlirText.STRING -> "string";
      case MlirText.TYPE -> "type";
      case MlirText.LOC -> "'loc'";
      case MlirText.LPAREN -> "'('";
      case MlirText.RPAREN -> "')'";
      case MlirText.LBRACE -> "'{'";
      case MlirText.RBRACE -> "'}'";
      case MlirText.LBRACK -> "'['";
      case MlirText.RBRACK -> "']'";
      case MlirText.LESS -> "'<'";
      case MlirText.GREATER -> "'>'";
      case MlirText.LPROPS -> "'<{'";
      case MlirText.RPROPS -> "'}>'";
      case MlirText.COMMA -> "','";
      case MlirText.COLON -> "':'";
      case MlirText.COLONS -> "'::'";
      case MlirText.EQ -> "'='";
      case MlirText.ARROW -> "'->'";
      default -> MlirText.VOCABULARY.getDisplayName(type).toLowerCase(Locale.ROOT);
    };
  }
}
