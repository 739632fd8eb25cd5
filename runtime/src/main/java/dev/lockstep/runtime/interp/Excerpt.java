package dev.lockstep.runtime.interp;

import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.util.Arrays;

/** Places in texts that another process has read, of which this one knows a line. */
final class Excerpt {
  /** No text has more lines; keeps a garbled number from asking for memory. */
  private static final int MOST_LINES = 1 << 24;

  private Excerpt() {}

  /**
   * Returns a place that is shown as it would be in its own process.
   *
   * @param line its one-based line
   * @param before what stands before it in the line, as UTF-8
   * @param text what stands there and behind, as UTF-8; all of it or its beginning
   * @param length how many bytes the place has
   */
  static Location of(String name, int line, byte[] before, byte[] text, int length) {
    if (line < 1 || line > MOST_LINES) {
      return new Location(Source.of(name, new byte[0]), 0, 0);
    }
    byte[] bytes = new byte[line - 1 + before.length + text.length];
    Arrays.fill(bytes, 0, line - 1, (byte) '\n');
    System.arraycopy(before, 0, bytes, line - 1, before.length);
    System.arraycopy(text, 0, bytes, line - 1 + before.length, text.length);
    int begin = line - 1 + before.length;
    return new Location(
        Source.of(name, bytes),
        begin,
        Math.min(bytes.length, begin + Math.min(length, text.length)));
  }
}
