package dev.lockstep.lower.fx.text;

import dev.lockstep.hlo.text.ReusedToken;

/** A token: reused by {@link FxTokens}, so it must not be kept beyond the next few tokens. */
final class FxToken extends ReusedToken {
  /** The column of {@link #begin}, from 0, without what logs put in front of lines. */
  int column;

  /** What {@link FxLexer} decoded: a word, an operator, a string without quotes; else empty. */
  String text = "";

  @Override
  public String getText() {
    return text;
  }
}
