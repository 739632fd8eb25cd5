package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.text.ForwardTokens;
import org.antlr.v4.runtime.Token;

/**
 * The two tokens that a parser of one token's lookahead needs: the next and the one before it.
 *
 * <p>Reading one token only after the one before it was consumed lets the grammar's actions tell
 * the lexer what comes next.
 */
final class HloTokenStream extends ForwardTokens {
  private final HloLexer lexer;
  private HloToken next;
  private HloToken previous;
  private int consumed;

  HloTokenStream(HloLexer lexer) {
    this.lexer = lexer;
    this.next = new HloToken(lexer.source());
    this.previous = new HloToken(lexer.source());
    lexer.read(next);
  }

  /** Returns the token that was consumed last. */
  HloToken previous() {
    return previous;
  }

  /** Returns the token that comes next. */
  HloToken next() {
    return next;
  }

  @Override
  public void consume() {
    HloToken reused = previous;
    previous = next;
    next = reused;
    consumed++;
    lexer.read(reused);
  }

  @Override
  public int LA(int k) {
    return k == 1 ? next.type : LT(k).getType();
  }

  @Override
  public Token LT(int k) {
    return k < 0 ? previous : next;
  }

  @Override
  public int index() {
    return consumed;
  }

  @Override
  public String getSourceName() {
    return lexer.source().name();
  }
}
