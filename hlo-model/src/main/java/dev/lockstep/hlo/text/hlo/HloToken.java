package dev.lockstep.hlo.text.hlo;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.text.ReusedToken;
import org.jspecify.annotations.Nullable;

/** A token that is written over by a later one: the stream keeps two of them. */
final class HloToken extends ReusedToken {
  private final Source source;

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
}
