package dev.lockstep.handshake.protocol;

/** 128 bits that stand for a program's canonical text; equal bits are taken for equal programs. */
public record Fingerprint(long high, long low) {
  @Override
  public int hashCode() {
    return Long.hashCode(high ^ low);
  }

  @Override
  public String toString() {
    return String.format("%016x%016x", high, low);
  }

  /**
   * Reads 32 hexadecimal digits.
   *
   * @throws IllegalArgumentException if {@code digits} is anything else
   */
  public static Fingerprint parse(String digits) {
    if (digits.length() != 32) {
      throw new IllegalArgumentException("a fingerprint has 32 digits, not " + digits.length());
    }
    return new Fingerprint(
        Long.parseUnsignedLong(digits, 0, 16, 16), Long.parseUnsignedLong(digits, 16, 32, 16));
  }
}
