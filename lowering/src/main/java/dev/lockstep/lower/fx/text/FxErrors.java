package dev.lockstep.lower.fx.text;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.text.FirstError;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;

/** Ends reading at the first syntax error with a diagnostic that says what could stand there. */
final class FxErrors extends FirstError {
  private static final int MANY = 5;
  private static final int SHOWN = 40;

  private final Source source;

  FxErrors(Source source) {
    this.source = source;
  }

  @Override
  protected DiagnosticException unexpected(Parser parser) {
    FxToken got = (FxToken) parser.getCurrentToken();
    Set<String> names = new TreeSet<>();
    for (int type : parser.getExpectedTokens().toList()) {
      names.add(name(type));
    }
    String expected = names.size() > MANY ? "an expression" : String.join(" or ", names);
    boolean end = got.type == Token.EOF;
    String found =
        end
            ? "end of file"
            : got.type == FxText.NEWLINE
                ? "end of line"
                : "'" + source.text(got.begin, Math.min(got.end, got.begin + SHOWN)) + "'";
    return DiagnosticException.error(
        "syntax",
        "expected " + expected + ", got " + found,
        new Location(source, got.begin, Math.max(got.begin, end ? got.begin : got.end)));
  }

  private static String name(int type) {
    return switch (type) {
      case Token.EOF -> "end of file";
      case FxText.NEWLINE -> "end of line";
      case FxText.NAME -> "a name";
      case FxText.NUMBER -> "a number";
      case FxText.STRING -> "a string";
      case FxText.LPAREN -> "'('";
      case FxText.RPAREN -> "')'";
      case FxText.LBRACK -> "'['";
      case FxText.RBRACK -> "']'";
      case FxText.COMMA -> "','";
      case FxText.COLON -> "':'";
      case FxText.SEMI -> "';'";
      case FxText.EQ -> "'='";
      case FxText.OPERATOR, FxText.MINUS, FxText.STAR -> "an operator";
      default -> FxText.VOCABULARY.getDisplayName(type).toLowerCase(Locale.ROOT);
    };
  }
}
