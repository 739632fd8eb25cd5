package dev.lockstep.hlo.text.mlir;

import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.jspecify.annotations.Nullable;

/** A token of the ring: reused, so it must not be kept beyond the next few tokens. */
final class Tok implements Token {
  int type;
  int begin;
  int end;

  /** The interned spelling; of a value's name without {@code #n}; null for punctuation. */
  @Nullable Sym sym;

  /** The number after {@code %name#}, or -1. */
  int index;

  @Override
  public int getType() {
    return type;
  }

  @Override
  public String getText() {
    return sym == null ? "" : sym.text;
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
