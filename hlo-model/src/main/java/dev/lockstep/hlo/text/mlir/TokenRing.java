package dev.lockstep.hlo.text.mlir;

import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.misc.Interval;

/**
 * The tokens around the place where the parser stands: one behind, one ahead, in a few reused
 * objects. An LL(1) parser needs no more, and nothing is kept, whatever the size of the text.
 */
final class TokenRing implements TokenStream {
  private final MlirLexer lexer;
  private final Tok[] ring = new Tok[8];
  private int at;
  private Tok current;
  private Tok previous;

  TokenRing(MlirLexer lexer) {
    this.lexer = lexer;
    for (int i = 0; i < ring.length; i++) {
      ring[i] = new Tok();
    }
    previous = ring[ring.length - 1];
    current = ring[0];
    lexer.next(current);
  }

  MlirLexer lexer() {
    return lexer;
  }

  /** Makes the next token, an opening bracket, one with all up to the bracket that closes it. */
  void extend() {
    lexer.extend(current);
  }

  /** Returns the token that the parser looks at. */
  Tok current() {
    return current;
  }

  /** Returns the token that was consumed last. */
  Tok previous() {
    return previous;
  }

  @Override
  public void consume() {
    previous = current;
    at = (at + 1) & 7;
    current = ring[at];
    lexer.next(current);
  }

  @Override
  public int LA(int k) {
    return k == 1 ? current.type : k == -1 ? previous.type : Token.EOF;
  }

  @Override
  public Token LT(int k) {
    return k == -1 ? previous : current;
  }

  @Override
  public int mark() {
    return 0;
  }

  @Override
  public void release(int marker) {}

  @Override
  public int index() {
    return current.begin;
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
