package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import java.util.TreeMap;

/** Brings values that are kept as text into the form in which XLA writes them. */
final class TextForms {
  private static final ImmutableList<String> METADATA =
      ImmutableList.of(
          "op_type",
          "op_name",
          "source_file",
          "source_line",
          "source_end_line",
          "source_column",
          "source_end_column",
          "stack_frame_id",
          "profile_type",
          "deduplicated_name",
          "metadata_payload",
          "scheduling_name");

  private TextForms() {}

  /** Returns {@code {a="x" b=1}}: entries in order, one blank between them. */
  static String metadata(Cursor in) {
    int begin = in.at;
    int end = in.end;
    TreeMap<Integer, String> byRank = new TreeMap<>();
    StringBuilder out = new StringBuilder("{");
    int last = -1;
    boolean sorted = true;
    in.expect('{');
    while (!in.accept('}')) {
      in.peek();
      int from = in.at;
      String name = in.word();
      int rank = METADATA.indexOf(name);
      if (rank < 0) {
        throw in.error(from, Math.max(from + 1, in.at), "metadata has no entry '" + name + "'");
      }
      in.expect('=');
      int valueBegin = in.at;
      skipValue(in);
      String entry = name + "=" + in.source.text(valueBegin, in.at).trim();
      if (byRank.put(rank, entry) != null) {
        throw in.error(from, in.at, "metadata entry '" + name + "' is given twice");
      }
      sorted &= rank > last;
      last = rank;
      in.accept(',');
    }
    in.expectEnd();
    for (String entry : byRank.values()) {
      out.append(out.length() == 1 ? "" : " ").append(entry);
    }
    out.append('}');
    // The usual case: printed by XLA, so the text itself will do.
    return sorted && out.length() == end - begin ? in.source.text(begin, end) : out.toString();
  }

  private static void skipValue(Cursor in) {
    int c = in.peek();
    if (c == '"') {
      Strings.skip(in);
    } else if (c == '{') {
      in.at = new Balance(in.source).close(in.at);
    } else {
      if (in.word().isEmpty()) {
        throw in.expected("a value");
      }
    }
  }

  /**
   * Returns aliases as XLA writes them: <code>{ {0}: (0, {}, may-alias) }</code> with blanks inside
   * the outer braces for those of a module, without for those of an instruction.
   */
  static String aliasing(Cursor in, boolean ofModule) {
    StringBuilder out = new StringBuilder(ofModule ? "{ " : "{");
    in.expect('{');
    boolean first = true;
    while (!in.accept('}')) {
      out.append(first ? "" : ", ");
      first = false;
      if (in.peek() == '{') {
        index(in, out);
        in.expect(':');
        out.append(": ");
      }
      in.expect('(');
      out.append('(').append(in.integer());
      in.expect(',');
      out.append(", ");
      boolean donor = out.indexOf(":") < 0;
      index(in, out);
      if (in.accept(',')) {
        out.append(", ").append(in.word());
      } else if (ofModule && !donor) {
        out.append(", may-alias");
      }
      in.expect(')');
      out.append(')');
      in.accept(',');
    }
    in.expectEnd();
    return out.append(ofModule ? " }" : "}").toString();
  }

  private static void index(Cursor in, StringBuilder out) {
    in.expect('{');
    out.append('{');
    while (!in.accept('}')) {
      out.append(in.integer());
      if (in.accept(',')) {
        out.append(',');
      }
    }
    out.append('}');
  }
}
