package dev.lockstep.runtime.transport;

import static com.google.common.base.Preconditions.checkArgument;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Bytes that grow: numbers, texts and whatever else is put into the room that it makes. */
public final class ByteWriter {
  private ByteBuffer bytes = ByteBuffer.allocate(256);

  /** Returns a place for {@code count} more bytes, which the caller must fill at once. */
  public ByteBuffer room(int count) {
    if (bytes.remaining() < count) {
      int wanted = Math.addExact(bytes.position(), count);
      int size = (int) Math.min(Integer.MAX_VALUE - 16, Math.max(wanted, 2L * bytes.capacity()));
      ByteBuffer larger = ByteBuffer.allocate(Math.max(size, wanted));
      bytes.flip();
      larger.put(bytes);
      bytes = larger;
    }
    return bytes;
  }

  /** Appends a number. */
  public ByteWriter number(int number) {
    room(Integer.BYTES).putInt(number);
    return this;
  }

  /** Appends a text. */
  public ByteWriter text(String text) {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    number(utf8.length);
    room(utf8.length).put(utf8);
    return this;
  }

  /** Returns a copy of what was appended. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes.array(), bytes.position());
  }

  /**
   * Reads a number of things that follow, each of at least a byte.
   *
   * @throws IllegalArgumentException if there cannot be so many
   */
  public static int number(ByteBuffer in) {
    int number = in.getInt();
    checkArgument(0 <= number && number <= in.remaining(), "a number is %s", number);
    return number;
  }

  /** Reads a text. */
  public static String text(ByteBuffer in) {
    byte[] utf8 = new byte[number(in)];
    in.get(utf8);
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
