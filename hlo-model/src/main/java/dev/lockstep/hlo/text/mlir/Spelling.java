package dev.lockstep.hlo.text.mlir;

/** What each byte may be part of. */
final class Spelling {
  static final byte OTHER = 0;
  static final byte SPACE = 1;
  static final byte LETTER = 2;
  static final byte DIGIT = 3;

  /** What may stand within a bare word: letters, digits, {@code _ $ .}. */
  static final boolean[] WORD = new boolean[256];

  /** What may stand within the name of a value, symbol or alias: a word or {@code -}. */
  static final boolean[] NAME = new boolean[256];

  static final byte[] CLASS = new byte[256];

  static {
    for (int c = 0; c < 256; c++) {
      boolean letter = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
      boolean digit = c >= '0' && c <= '9';
      WORD[c] = letter || digit || c == '$' || c == '.';
      NAME[c] = WORD[c] || c == '-';
      CLASS[c] = letter ? LETTER : digit ? DIGIT : c == ' ' || c >= 9 && c <= 13 ? SPACE : OTHER;
    }
  }

  private Spelling() {}
}
