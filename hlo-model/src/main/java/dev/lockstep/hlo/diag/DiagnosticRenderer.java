package dev.lockstep.hlo.diag;

/**
 * Renders diagnostics as {@code file:line:col: severity[code]: message}, the source line and a
 * {@code ^~~~} under the range. The one renderer of command line, tests and servers.
 */
public final class DiagnosticRenderer {
  /** Longest part of a source line that is shown; the window moves so that the caret is in it. */
  private static final int MAX_LINE = 160;

  private static final String INDENT = "  ";

  private DiagnosticRenderer() {}

  /** Returns {@code diagnostic} as users see it, without a line end at the end. */
  public static String render(Diagnostic diagnostic) {
    StringBuilder out = new StringBuilder();
    head(out, diagnostic.location(), diagnostic.severity().word());
    if (!diagnostic.code().isEmpty()) {
      out.append('[').append(diagnostic.code()).append(']');
    }
    out.append(": ").append(visible(diagnostic.message()));
    snippet(out, diagnostic.location());
    for (Note note : diagnostic.notes()) {
      out.append('\n');
      head(out, note.location(), Severity.NOTE.word());
      out.append(": ").append(visible(note.message()));
      snippet(out, note.location());
    }
    return out.toString();
  }

  /** Returns {@code text} without what a terminal would obey: inputs are not ours. */
  private static String visible(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints().forEach(c -> out.appendCodePoint(c == '\n' ? c : visible(c)));
    return out.toString();
  }

  private static int visible(int codePoint) {
    return Character.isISOControl(codePoint) ? 0xFFFD : codePoint;
  }

  private static void head(StringBuilder out, Location location, String word) {
    if (location.isKnown()) {
      out.append(visible(location.toString())).append(": ");
    }
    out.append(word);
  }

  /**
   * Appends the part of the line around the range and the underline. Only the bytes near the range
   * are decoded: a line may be the whole of a file of many megabytes.
   */
  private static void snippet(StringBuilder out, Location location) {
    Source source = location.source();
    if (!location.isKnown() || source.length() == 0) {
      return;
    }
    int line = location.line();
    int lineStart = source.lineStart(line);
    int lineEnd = source.lineEnd(line);
    int begin = Math.min(location.begin(), lineEnd);
    int near = boundary(source, Math.max(lineStart, begin - 4 * MAX_LINE));
    int far = boundary(source, Math.min(lineEnd, begin + 4 * MAX_LINE));
    int[] before = source.text(near, begin).replace('\t', ' ').codePoints().toArray();
    int[] after = source.text(begin, far).replace('\t', ' ').codePoints().toArray();
    int total = before.length + after.length;
    boolean whole = near == lineStart && far == lineEnd && total <= MAX_LINE;
    int start = whole ? 0 : Math.max(0, before.length - MAX_LINE / 2);
    if (!whole && far == lineEnd) {
      start = Math.max(0, Math.min(start, total - MAX_LINE));
    }
    int end = whole ? total : Math.min(total, start + MAX_LINE);
    boolean cutLeft = start > 0 || near > lineStart;
    int last = Math.max(begin, Math.min(location.end(), far));
    String marked = source.text(begin, Math.max(begin, boundary(source, last)));
    int length = marked.codePointCount(0, marked.length());
    out.append('\n').append(INDENT).append(cutLeft ? "..." : "");
    for (int i = start; i < end; i++) {
      out.appendCodePoint(visible(i < before.length ? before[i] : after[i - before.length]));
    }
    out.append(end < total || far < lineEnd ? "..." : "");
    out.append('\n').append(INDENT).append(" ".repeat(before.length - start + (cutLeft ? 3 : 0)));
    out.append('^').append("~".repeat(Math.max(0, Math.min(length, end - before.length) - 1)));
  }

  /** Returns {@code offset}, moved back to the first byte of the character it points into. */
  private static int boundary(Source source, int offset) {
    int at = offset;
    while (at > 0 && at < source.length() && (source.bytes()[at] & 0xC0) == 0x80) {
      at--;
    }
    return at;
  }
}
