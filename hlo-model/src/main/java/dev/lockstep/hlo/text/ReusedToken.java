package dev.lockstep.hlo.text;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.jspecify.annotations.Nullable;

/**
 * A token that a lexer fills again and again, so that reading makes no garbage; it must not be kept
 * beyond the next few tokens. Lines are not counted: places are offsets.
 */
public abstract class ReusedToken implements Token {
  /** The token type of the grammar. */
  public int type;

  /** Offset of the first byte. */
  public int begin;

  /** Offset after the last byte. */
  public int end;

  @Override
  public final int getType() {
    return type;
  }

  @Override
  public final int getLine() {
    return 0;
  }

  @Override
  public final int getCharPositionInLine() {
    return begin;
  }

  @Override
  public final int getChannel() {
    return DEFAULT_CHANNEL;
  }

  @Override
  public final int getTokenIndex() {
    return 0;
  }

  @Override
  public final int getStartIndex() {
    return begin;
  }

  @Override
  public final int getStopIndex() {
    return end - 1;
  }

  @Override
  public final @Nullable TokenSource getTokenSource() {
    return null;
  }

  @Override
  public final @Nullable CharStream getInputStream() {
    return null;
  }
}
