package dev.lockstep.pass.region.fingerprint;

import static java.util.Objects.requireNonNull;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Takes canonical text and digests it as it comes, in a buffer of fixed size.
 *
 * <p>Every word is preceded by its length and every number has one width, so that no two sequences
 * of calls give the same bytes.
 */
final class CanonicalSink {
  private static final int BUFFER = 1 << 14;
  private static final int DIGEST_BYTES = 16;

  private static final long OFFSET = 0xcbf29ce484222325L;
  private static final long PRIME = 0x100000001b3L;

  private final @Nullable MessageDigest digest;
  private final boolean literals;
  private final byte[] buffer;
  private int used;
  private long key = OFFSET;

  /**
   * Creates a sink.
   *
   * @param literals whether the values of constants count, besides their types
   */
  CanonicalSink(boolean literals) {
    this(literals, digest());
  }

  private CanonicalSink(boolean literals, @Nullable MessageDigest digest) {
    this.literals = literals;
    this.digest = digest;
    this.buffer = new byte[digest == null ? 0 : BUFFER];
  }

  /** Returns a sink that makes keys of many small pieces, without the values of literals. */
  static CanonicalSink ofKeys() {
    return new CanonicalSink(false, null);
  }

  private static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  private void put(int value) {
    if (digest == null) {
      key = (key ^ (value & 0xFF)) * PRIME;
      return;
    }
    if (used == BUFFER) {
      flush();
    }
    buffer[used++] = (byte) value;
  }

  private void flush() {
    requireNonNull(digest).update(buffer, 0, used);
    used = 0;
  }

  /** Takes a word. */
  void word(String text) {
    int length = text.length();
    boolean ascii = true;
    for (int i = 0; ascii && i < length; i++) {
      ascii = text.charAt(i) < 0x80;
    }
    put('w');
    if (ascii) {
      length(length);
      for (int i = 0; i < length; i++) {
        put(text.charAt(i));
      }
      return;
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    length(bytes.length);
    for (byte b : bytes) {
      put(b);
    }
  }

  private void length(int value) {
    put(value >>> 24);
    put(value >>> 16);
    put(value >>> 8);
    put(value);
  }

  /** Takes a number. */
  void number(long value) {
    put('n');
    bits(value, Long.BYTES);
  }

  private void bits(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      put((int) (value >>> 8 * i));
    }
  }

  /** Takes the value of a constant: type, and numbers unless they do not count. */
  void constant(Literal literal) {
    tensor(literal, literals);
  }

  /** Takes a tensor of an attribute: type and numbers. */
  void literal(Literal literal) {
    tensor(literal, true);
  }

  /** Takes a tensor; one whose elements are all the same is taken as such. */
  private void tensor(Literal literal, boolean values) {
    TensorType type = literal.type();
    word("literal");
    word(type.element().mlirName());
    number(type.rank());
    for (int i = 0; i < type.rank(); i++) {
      number(type.dim(i));
    }
    if (!values) {
      return;
    }
    int count = literal.count();
    boolean same = literal.isSplat();
    if (!same && count > 1) {
      same = true;
      for (int i = 1; same && i < count; i++) {
        same = literal.sameBits(0, literal, i);
      }
    }
    word(same ? "splat" : "dense");
    ElementType element = literal.element();
    for (int i = 0; i < (same ? Math.min(1, count) : count); i++) {
      if (element.isComplex()) {
        bits(Double.doubleToRawLongBits(literal.getDouble(i)), Long.BYTES);
        bits(Double.doubleToRawLongBits(literal.getImaginary(i)), Long.BYTES);
      } else {
        bits(literal.getBits(i), Math.max(1, element.bytes()));
      }
    }
  }

  /**
   * Returns a key of what was taken since the last one, 64 bits by FNV-1a: good for looking things
   * up, not as proof that they are equal.
   */
  long finishKey() {
    long out = key;
    key = OFFSET;
    return out;
  }

  /** Returns the fingerprint of all that was taken; the sink takes nothing afterwards. */
  Fingerprint finish() {
    flush();
    byte[] all = requireNonNull(digest).digest();
    return new Fingerprint(
        Fingerprint.ALGORITHM + ":" + HexFormat.of().formatHex(all, 0, DIGEST_BYTES));
  }
}
