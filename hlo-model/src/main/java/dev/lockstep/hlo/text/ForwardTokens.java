package dev.lockstep.hlo.text;

import org.antlr.v4.runtime.RuleContext;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.antlr.v4.runtime.TokenStream;
import org.antlr.v4.runtime.misc.Interval;

/**
 * Tokens that go by once: what an LL(1) parser needs of a stream is the token behind and the token
 * ahead, and whatever else a stream could do is refused.
 */
public abstract class ForwardTokens implements TokenStream {
  @Override
  public final int mark() {
    return 0;
  }

  @Override
  public final void release(int marker) {}

  @Override
  public final void seek(int index) {}

  @Override
  public final int size() {
    throw refused();
  }

  @Override
  public final Token get(int index) {
    throw refused();
  }

  @Override
  public final TokenSource getTokenSource() {
    throw refused();
  }

  @Override
  public final String getText() {
    throw refused();
  }

  @Override
  public final String getText(Interval interval) {
    throw refused();
  }

  @Override
  public final String getText(RuleContext context) {
    throw refused();
  }

  @Override
  public final String getText(Token start, Token stop) {
    throw refused();
  }

  private static UnsupportedOperationException refused() {
    return new UnsupportedOperationException("tokens go by once");
  }
}
