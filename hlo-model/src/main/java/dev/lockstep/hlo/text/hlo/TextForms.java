package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
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

  private static final byte[][] METADATA_BYTES =
      METADATA.stream()
          .map(name -> name.getBytes(StandardCharsets.US_ASCII))
          .toArray(byte[][]::new);

  private TextForms() {}

  /** Returns {@code {a="x" b=1}}: entries in order, one blank between them. */
  static String metadata(Cursor in) {
    if (isCanonical(in.bytes, in.at, in.end)) {
      return in.source.text(in.at, in.end);
    }
    TreeMap<Integer, String> byRank = new TreeMap<>();
    StringBuilder out = new StringBuilder("{");
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
      in.accept(',');
    }
    in.expectEnd();
    for (String entry : byRank.values()) {
      out.append(out.length() == 1 ? "" : " ").append(entry);
    }
    return out.append('}').toString();
  }

  /**
   * Returns whether XLA would write what stands in the range, which is the usual case and takes no
   * object to find out.
   */
  private static boolean isCanonical(byte[] bytes, int begin, int end) {
    int p = begin + 1;
    int rank = 0;
    while (p < end && bytes[p] != '}') {
      int equals = p;
      while (equals < end && bytes[equals] != '=') {
        equals++;
      }
      while (rank < METADATA_BYTES.length && !is(bytes, p, equals, METADATA_BYTES[rank])) {
        rank++;
      }
      if (rank++ == METADATA_BYTES.length) {
        return false;
      }
      p = canonicalValueEnd(bytes, equals + 1, end);
      if (p < 0) {
        return false;
      }
      if (bytes[p] == ' ') {
        p++;
      }
    }
    return p == end - 1;
  }

  private static boolean is(byte[] bytes, int begin, int end, byte[] name) {
    return Arrays.equals(bytes, begin, end, name, 0, name.length);
  }

  /** Returns the end of a string or number that a blank or the closing brace follows, else -1. */
  private static int canonicalValueEnd(byte[] bytes, int begin, int end) {
    int p = begin;
    if (p < end && bytes[p] == '"') {
      p++;
      while (p < end && bytes[p] != '"') {
        p += bytes[p] == '\\' ? 2 : 1;
      }
      p++;
    } else {
      while (p < end && Cursor.isDigit(bytes[p])) {
        p++;
      }
      if (p == begin) {
        return -1;
      }
    }
    boolean more = p + 1 < end && bytes[p] == ' ' && Cursor.isWord(bytes[p + 1]);
    return p < end && (bytes[p] == '}' || more) ? p : -1;
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
