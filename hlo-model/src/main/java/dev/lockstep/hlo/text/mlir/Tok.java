package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.text.ReusedToken;
import org.jspecify.annotations.Nullable;

/** A token of the ring: reused, so it must not be kept beyond the next few tokens. */
final class Tok extends ReusedToken {
  /** The interned spelling; of a value's name without {@code #n}; null for punctuation. */
  @Nullable Sym sym;

  /** The number after {@code %name#}, or -1. */
  int index;

  @Override
  public String getText() {
    return sym == null ? "" : sym.text;
  }
}
