package dev.lockstep.hlo.diag;

/**
 * A half-open range of bytes in a source.
 *
 * @param source where the range is
 * @param begin offset of the first byte
 * @param end offset after the last byte, at least {@code begin}
 */
public record Location(Source source, int begin, int end) {
  /** The location of things that no text holds. */
  public static final Location UNKNOWN = new Location(Source.UNKNOWN, 0, 0);

  /** Returns the one-based line of the first byte. */
  public int line() {
    return source.line(begin);
  }

  /** Returns the one-based column of the first byte. */
  public int column() {
    return source.column(begin);
  }

  /** Returns whether this is a place in a text. */
  public boolean isKnown() {
    return source != Source.UNKNOWN;
  }

  @Override
  public String toString() {
    return isKnown() ? source.name() + ":" + line() + ":" + column() : source.name();
  }
}
