package dev.lockstep.hlo.text.mlir;

/** Puts blanks where MLIR's printer puts them, in text that is kept without looking inside. */
final class Spacing {
  private Spacing() {}

  /** Returns {@code text} with single blanks after commas and around arrows, none in brackets. */
  static String normalise(String text) {
    StringBuilder out = new StringBuilder(text.length());
    int i = 0;
    boolean blank = false;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '"') {
        int end = i + 1;
        while (end < text.length() && text.charAt(end) != '"') {
          end += text.charAt(end) == '\\' ? 2 : 1;
        }
        end = Math.min(end + 1, text.length());
        blank(out, blank);
        out.append(text, i, end);
        blank = false;
        i = end;
        continue;
      }
      if (Character.isWhitespace(c)) {
        blank = true;
        i++;
        continue;
      }
      if (c == '/' && text.startsWith("//", i)) {
        int end = text.indexOf('\n', i);
        i = end < 0 ? text.length() : end;
        continue;
      }
      if (c == '-' && text.startsWith("->", i)) {
        boolean spaced = blank || out.indexOf("affine") == 0;
        out.append(spaced ? " -> " : "->");
        i += 2;
        blank = false;
        while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
          i++;
        }
        continue;
      }
      boolean closing = c == ')' || c == ']' || c == '}' || c == '>' || c == ',';
      if (!closing) {
        blank(out, blank);
      }
      out.append(c);
      blank = c == ',';
      i++;
      if (c == '(' || c == '[' || c == '{' || c == '<') {
        while (i < text.length() && Character.isWhitespace(text.charAt(i))) {
          i++;
        }
      }
    }
    return out.toString();
  }

  /** As {@link #normalise}, without blanks around equals signs, as Shardy prints. */
  static String tight(String text) {
    String normal = normalise(text);
    return normal.indexOf('"') < 0 && normal.indexOf('=') < 0
        ? normal
        : normal.replaceAll(" *= *", "=").replace("#sdy.sharding<", "<");
  }

  private static void blank(StringBuilder out, boolean wanted) {
    if (wanted && out.length() > 0 && out.charAt(out.length() - 1) != ' ') {
      out.append(' ');
    }
  }
}
