package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import org.antlr.v4.runtime.CharStream;
import org.antlr.v4.runtime.Token;
import org.antlr.v4.runtime.TokenSource;
import org.jspecify.annotations.Nullable;

/** A token that is written over by a later one: the stream keeps two of them. */
final class HloToken implements Token {
  private final Source source;
  int type;
  int begin;
  int end;

  /** The name without {@code %} and mark, or the shape; null for other tokens. */
  @Nullable Symbol symbol;

  HloToken(Source source) {
    this.source = source;
  }

  /** Returns the symbol of a token that has one. */
  Symbol name() {
    return requireNonNull(symbol);
  }

  /** Returns the range of bytes. */
  Location location() {
    return new Location(source, begin, end);
  }

  @Override
  public String getText() {
    return type == EOF ? "end of text" : source.text(begin, end);
  }

  @Override
  public int getType() {
    return type;
  }

  @Override
  public int getLine() {
    return source.line(begin);
  }

  @Override
  public int getCharPositionInLine() {
    return source.column(begin) - 1;
  }

  @Override
  public int getChannel() {
    return DEFAULT_CHANNEL;
  }

  @Override
  public int getTokenIndex() {
    return -1;
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
