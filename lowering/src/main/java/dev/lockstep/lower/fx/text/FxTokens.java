package dev.lockstep.lower.fx.text;

import dev.lockstep.hlo.text.ForwardTokens;
import org.antlr.v4.runtime.Token;

/**
 * The token behind and the token ahead, in a few reused objects: all that an LL(1) parser needs.
 */
final class FxTokens extends ForwardTokens {
  private static final int RING = 4;

  private final FxLexer lexer;
  private final FxToken[] ring = new FxToken[RING];
  private int at;

  FxTokens(FxLexer lexer) {
    this.lexer = lexer;
    for (int i = 0; i < RING; i++) {
      ring[i] = new FxToken();
    }
    lexer.next(ring[0]);
  }

  FxToken current() {
    return ring[at];
  }

  FxToken previous() {
    return ring[(at + RING - 1) % RING];
  }

  int columnOfPrevious() {
    return previous().column;
  }

  @Override
  public void consume() {
    at = (at + 1) % RING;
    lexer.next(ring[at]);
  }

  @Override
  public int LA(int k) {
    return k == 1 ? current().type : k == -1 ? previous().type : Token.EOF;
  }

  @Override
  public Token LT(int k) {
    return k == -1 ? previous() : current();
  }

  @Override
  public int index() {
    return current().begin;
  }

  @Override
  public String getSourceName() {
    return lexer.source().name();
  }
}
