package dev.lockstep.hlo.diag;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A text as it was read: its name for messages and its bytes (UTF-8).
 *
 * <p>Locations hold byte offsets into a source; lines and columns are computed only when a message
 * needs them, so that reading pays nothing for them.
 */
public final class Source {
  /** The source of things that no text holds. */
  public static final Source UNKNOWN = new Source("<unknown>", new byte[0]);

  private final String name;
  private final byte[] bytes;
  private int @Nullable [] lineStarts;

  private Source(String name, byte[] bytes) {
    this.name = requireNonNull(name);
    this.bytes = requireNonNull(bytes);
  }

  /** Returns a source over {@code bytes}, which must not be changed afterwards. */
  public static Source of(String name, byte[] bytes) {
    return new Source(name, bytes);
  }

  /** Returns a source that holds {@code text} as UTF-8. */
  public static Source of(String name, String text) {
    return new Source(name, text.getBytes(StandardCharsets.UTF_8));
  }

  /** Returns the name that diagnostics print, usually a path as the user wrote it. */
  public String name() {
    return name;
  }

  /** Returns the bytes themselves, not a copy; callers must not write to them. */
  public byte[] bytes() {
    return bytes;
  }

  /** Returns the number of bytes. */
  public int length() {
    return bytes.length;
  }

  /** Returns the one-based line that holds byte {@code offset}. */
  public int line(int offset) {
    int[] starts = lineStarts();
    int found = Arrays.binarySearch(starts, offset);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** Returns the one-based column, in code points, of byte {@code offset} within its line. */
  public int column(int offset) {
    int start = lineStarts()[line(offset) - 1];
    int end = Math.min(offset, bytes.length);
    int column = 1;
    for (int i = start; i < end; i++) {
      if ((bytes[i] & 0xC0) != 0x80) {
        column++;
      }
    }
    return column;
  }

  /** Returns line {@code line} (one-based) without its line end; malformed UTF-8 is replaced. */
  public String lineText(int line) {
    return text(lineStart(line), lineEnd(line));
  }

  /** Returns the offset of the first byte of line {@code line} (one-based). */
  int lineStart(int line) {
    return lineStarts()[line - 1];
  }

  /** Returns the offset after the last byte of line {@code line}, its line end left out. */
  int lineEnd(int line) {
    int[] starts = lineStarts();
    int end = line < starts.length ? starts[line] - 1 : bytes.length;
    return end > starts[line - 1] && bytes[end - 1] == '\r' ? end - 1 : end;
  }

  /** Returns the text between two byte offsets. */
  public String text(int begin, int end) {
    return new String(bytes, begin, end - begin, StandardCharsets.UTF_8);
  }

  private synchronized int[] lineStarts() {
    int[] starts = lineStarts;
    if (starts == null) {
      int count = 1;
      for (byte b : bytes) {
        if (b == '\n') {
          count++;
        }
      }
      starts = new int[count];
      int line = 1;
      for (int i = 0; i < bytes.length; i++) {
        if (bytes[i] == '\n') {
          starts[line++] = i + 1;
        }
      }
      lineStarts = starts;
    }
    return starts;
  }

  @Override
  public String toString() {
    return name;
  }
}
