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
    out.append(": ").append(diagnostic.message());
    snippet(out, diagnostic.location());
    for (Note note : diagnostic.notes()) {
      out.append('\n');
      head(out, note.location(), Severity.NOTE.word());
      out.append(": ").append(note.message());
      snippet(out, note.location());
    }
    return out.toString();
  }

  private static void head(StringBuilder out, Location location, String word) {
    if (location.isKnown()) {
      out.append(location).append(": ");
    }
    out.append(word);
  }

  private static void snippet(StringBuilder out, Location location) {
    if (!location.isKnown() || location.source().length() == 0) {
      return;
    }
    int line = location.line();
    String text = location.source().lineText(line).replace('\t', ' ');
    int[] points = text.codePoints().toArray();
    int from = Math.min(location.column() - 1, points.length);
    int length = 1;
    if (location.end() > location.begin()) {
      int last = location.end() - 1;
      length =
          location.source().line(last) == line
              ? location.source().column(last) - location.column() + 1
              : points.length - from;
    }
    length = Math.max(1, Math.min(length, Math.max(1, points.length - from)));
    int start = 0;
    if (points.length > MAX_LINE && from > MAX_LINE / 2) {
      start = Math.min(from - MAX_LINE / 2, points.length - MAX_LINE);
    }
    start = Math.max(0, start);
    int end = Math.min(points.length, start + MAX_LINE);
    out.append('\n').append(INDENT);
    if (start > 0) {
      out.append("...");
    }
    out.append(new String(points, start, end - start));
    if (end < points.length) {
      out.append("...");
    }
    out.append('\n').append(INDENT);
    out.append(" ".repeat(from - start + (start > 0 ? 3 : 0)));
    out.append('^').append("~".repeat(Math.max(0, Math.min(length, end - from) - 1)));
  }
}
