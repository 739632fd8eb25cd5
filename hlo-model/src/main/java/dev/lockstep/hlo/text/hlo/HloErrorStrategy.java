package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.text.FirstError;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.misc.IntervalSet;

/** Turns the first token that does not fit into a diagnostic. */
final class HloErrorStrategy extends FirstError {
  @Override
  protected DiagnosticException unexpected(Parser recognizer) {
    HloToken token = ((HloTokenStream) recognizer.getInputStream()).next();
    IntervalSet expected = recognizer.getExpectedTokens();
    StringBuilder message = new StringBuilder("expected ");
    int count = 0;
    for (int type : expected.toList()) {
      if (count > 0) {
        message.append(count == expected.size() - 1 ? " or " : ", ");
      }
      message.append(spoken(type));
      count++;
    }
    message.append(", but got ").append(spoken(token.type));
    if (token.type == HloParser.NAME || token.type == HloParser.NUMBER) {
      message.append(" '").append(shorten(token.getText())).append('\'');
    }
    return DiagnosticException.error("syntax", message.toString(), token.location());
  }

  private static String shorten(String text) {
    return text.length() <= 40 ? text : text.substring(0, 40) + "...";
  }

  private static String spoken(int type) {
    return switch (type) {
      case Token.EOF -> "the end of the text";
      case HloParser.MODULE -> "'HloModule'";
      case HloParser.TABLE -> "a table of files or frames";
      case HloParser.ENTRY -> "'ENTRY'";
      case HloParser.ROOT -> "'ROOT'";
      case HloParser.NAME -> "a name";
      case HloParser.DEFINES -> "'name ='";
      case HloParser.KEY -> "'attribute='";
      case HloParser.PARAMETER -> "'parameter:'";
      case HloParser.SHAPE -> "a shape";
      case HloParser.VALUE -> "a value";
      case HloParser.NUMBER -> "a number";
      case HloParser.LITERAL -> "a literal";
      case HloParser.LPAREN -> "'('";
      case HloParser.RPAREN -> "')'";
      case HloParser.LBRACE -> "'{'";
      case HloParser.RBRACE -> "'}'";
      case HloParser.COMMA -> "','";
      default -> "'->'";
    };
  }
}
