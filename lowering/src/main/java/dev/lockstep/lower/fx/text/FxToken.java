package dev.lockstep.lower.fx.text;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.jspecify.annotations.Nullable;

/** A token: reused by {@link FxTokens}, so it must not be kept beyond the next few tokens. */
final class FxToken implements Token {
  int type;
  int begin;
  int end;

  /** The column of {@link #begin}, from 0, without what logs put in front of lines. */
  int column;

  /** What {@link FxLexer} decoded: a word, an operator, a string without quotes; else empty. */
  String text = "";

  @Override
  public int getType() {
    return type;
  }

  @Override
  public String getText() {
    return text;
  }

  @Override
  public int getLine() {
    return 0;
  }

  @Override
  public int getCharPositionInLine() {
    return begin;
  }

  @Override
  public int getChannel() {
    return DEFAULT_CHANNEL;
  }

  @Override
  public int getTokenIndex() {
    return 0;
  }

  @Override
  public int getStartIndex() {
    return begin;
  }

  @Override
  public int getStopIndex() {
    return end - 1;
  }

  @Override
  public @Nullable TokenSource getTokenSource() {
    return null;
  }

  @Override
  public @Nullable CharStream getInputStream() {
    return null;
  }
}
