package dev.lockstep.lower.fx.text;

import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.misc.Interval;

/**
 * The token behind and the token ahead, in a few reused objects: all that an LL(1) parser needs.
 */
final class FxTokens implements TokenStream {
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
  public int mark() {
    return 0;
  }

  @Override
  public void release(int marker) {}

  @Override
  public int index() {
    return current().begin;
  }

  @Override
  public void seek(int index) {}

  @Override
  public int size() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getSourceName() {
    return lexer.source().name();
  }

  @Override
  public Token get(int index) {
    throw new UnsupportedOperationException();
  }

  @Override
  public TokenSource getTokenSource() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getText(Interval interval) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getText() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getText(RuleContext context) {
    throw new UnsupportedOperationException();
  }

  @Override
  public String getText(Token start, Token stop) {
    throw new UnsupportedOperationException();
  }
}
