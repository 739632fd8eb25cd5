package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.text.ForwardTokens;
import org.antlr.v4.runtime.Token;

/**
 * The tokens around the place where the parser stands: one behind, one ahead, in a few reused
 * objects. An LL(1) parser needs no more, and nothing is kept, whatever the size of the text.
 */
final class TokenRing extends ForwardTokens {
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
  public int index() {
    return current.begin;
  }

  @Override
  public String getSourceName() {
    return lexer.source().name();
  }
}
