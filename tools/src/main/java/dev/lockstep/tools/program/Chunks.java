package dev.lockstep.tools.program;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Source;
import java.util.Arrays;

/** The chunks of a file between lines that start with {@code // -----}. */
public final class Chunks {
  private static final byte[] MARK = {'/', '/', ' ', '-', '-', '-', '-', '-'};

  /** The line that joins chunks. */
  public static final String SEPARATOR = "// -----\n";

  private Chunks() {}

  /**
   * Returns the chunks of {@code source}. Each is the file with everything before it replaced by as
   * many line ends, so that diagnostics name the file's own lines.
   */
  public static ImmutableList<Source> split(Source source) {
    byte[] bytes = source.bytes();
    ImmutableList.Builder<Source> out = ImmutableList.builder();
    int begin = 0;
    int linesBefore = 0;
    int line = 0;
    for (int at = 0; at < bytes.length; at = nextLine(bytes, at)) {
      if (isMark(bytes, at)) {
        out.add(chunk(source, begin, at, linesBefore));
        begin = nextLine(bytes, at);
        linesBefore = line + 1;
      }
      line++;
    }
    return out.add(chunk(source, begin, bytes.length, linesBefore)).build();
  }

  private static Source chunk(Source source, int begin, int end, int linesBefore) {
    if (linesBefore == 0 && end == source.length()) {
      return source;
    }
    int length = Math.max(0, end - begin);
    byte[] out = new byte[linesBefore + length];
    Arrays.fill(out, 0, linesBefore, (byte) '\n');
    System.arraycopy(source.bytes(), begin, out, linesBefore, length);
    return Source.of(source.name(), out);
  }

  private static boolean isMark(byte[] bytes, int at) {
    return at + MARK.length <= bytes.length
        && Arrays.equals(bytes, at, at + MARK.length, MARK, 0, MARK.length);
  }

  private static int nextLine(byte[] bytes, int at) {
    int next = at;
    while (next < bytes.length && bytes[next] != '\n') {
      next++;
    }
    return Math.min(bytes.length, next + 1);
  }
}
