package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.Source;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the graphs in a text: what {@code print_readable} wrote, the text of an exported program, a
 * list or a table of nodes, or a log of {@code TORCH_LOGS}, whose lines have prefixes, whose ranks
 * may be mixed line by line, and which holds much else. Looks at each line once.
 */
final class GraphLines {
  /**
   * What the prefix of a line says.
   *
   * @param rank the rank, or -1
   * @param compilation which of torch's compilations: {@code 0/0}, or empty
   * @param stage what torch logged it as: {@code graph_code}, {@code aot_graphs}, or empty
   */
  record Origin(int rank, String compilation, String stage) {
    static final Origin NONE = new Origin(-1, "", "");
  }

  /** How a graph is written. */
  enum Form {
    /** As a class or function of Python. */
    PYTHON,
    /** As {@code print(graph)} lists its nodes. */
    NODES,
    /** As {@code graph.print_tabular()} does. */
    TABLE
  }

  /**
   * The lines of one graph.
   *
   * @param form how it is written
   * @param origin what the prefixes of its lines say
   * @param title what stood between {@code =====} above it, or empty
   * @param begins where the graph's part of each line begins in the source
   * @param ends where each line ends, its line end included
   * @param bases where column 0 of each line is
   */
  record Section(
      Form form,
      Origin origin,
      String title,
      ImmutableIntArray begins,
      ImmutableIntArray ends,
      ImmutableIntArray bases) {}

  private static final Pattern PREFIX =
      Pattern.compile(
          "(?:\\[(?:rank|default|trainer)?[ _]?(\\d+)(?:\\|\\d+)?\\]:\\s?)?(?:[VIWEDC]\\d{4}"
              + " \\d\\d:\\d\\d:\\d\\d\\.\\d+ \\d+ [^\\s\\]]*\\][ ]?|\\[?\\d{4}-\\d\\d-\\d\\d["
              + " T][0-9:,.]+\\]?[ ])?(?:\\[(!?\\d+/[0-9_]+)\\][ ]?)*(?:\\[__(\\w+)\\]["
              + " ]?)?(?:\\[(!?\\d+/[0-9_]+)\\][ ]?)*(?:torch\\.[\\w.]*?(?:__(\\w+))?:"
              + " (?:\\[\\w+\\][ ]?)?)?");

  private static final Pattern CLASS =
      Pattern.compile("([ \\t]*)(?:\\S+[ \\t]+)?(class [\\w<>.]+\\([\\w.]*Module\\):)[ \\t]*");

  private static final Pattern FUNCTION = Pattern.compile("([ \\t]*)(def forward\\().*");
  private static final Pattern NODES =
      Pattern.compile("([ \\t]*)(?:\\S+[ \\t]+)?(graph\\(.*\\):)[ \\t]*");
  private static final Pattern TABLE =
      Pattern.compile("([ \\t]*)(opcode +name +target +args +kwargs)[ \\t]*");
  private static final Pattern ROW =
      Pattern.compile(
          "[ \\t]*(?:-{3,} +-|(?:placeholder|get_attr|call_function|call_method|call_module|output) )"
              + ".*");
  private static final Pattern TITLE = Pattern.compile("[ \\t]*=====+ ?(.*?) ?=====+[ \\t]*");

  private final byte[] bytes;
  private final Map<Integer, Open> open = new HashMap<>();
  private final Map<Integer, String> titles = new HashMap<>();
  private final List<Open> found = new ArrayList<>();

  private GraphLines(Source source) {
    this.bytes = source.bytes();
  }

  /** Returns the graphs in the order in which they begin. */
  static ImmutableList<Section> find(Source source) {
    return new GraphLines(source).find();
  }

  /** A graph that may go on. */
  private static final class Open {
    final Form form;
    final Origin origin;
    final String title;
    final boolean prefixed;
    final int indent;
    final ImmutableIntArray.Builder begins = ImmutableIntArray.builder();
    final ImmutableIntArray.Builder ends = ImmutableIntArray.builder();
    final ImmutableIntArray.Builder bases = ImmutableIntArray.builder();

    Open(Form form, Origin origin, String title, boolean prefixed, int indent) {
      this.form = form;
      this.origin = origin;
      this.title = title;
      this.prefixed = prefixed;
      this.indent = indent;
    }

    void add(int begin, int end, int base) {
      begins.add(begin);
      ends.add(end);
      bases.add(base);
    }

    Section build() {
      return new Section(form, origin, title, begins.build(), ends.build(), bases.build());
    }
  }

  private ImmutableList<Section> find() {
    int begin = 0;
    while (begin < bytes.length) {
      int end = begin;
      while (end < bytes.length && bytes[end] != '\n') {
        end++;
      }
      line(begin, Math.min(bytes.length, end + 1), end);
      begin = end + 1;
    }
    return found.stream().map(Open::build).collect(ImmutableList.toImmutableList());
  }

  private void line(int begin, int end, int textEnd) {
    Origin origin = Origin.NONE;
    int base = begin;
    if (mayHavePrefix(begin, textEnd)) {
      // No prefix is longer, and lines of logs that are no graphs can be.
      String head = text(begin, Math.min(textEnd, begin + 400));
      Matcher prefix = PREFIX.matcher(head);
      if (prefix.lookingAt() && prefix.end() > 0) {
        base = begin + prefix.end();
        origin =
            new Origin(
                prefix.group(1) == null ? -1 : rank(prefix.group(1)),
                first(prefix.group(2), prefix.group(4)),
                first(prefix.group(3), prefix.group(5)));
      }
    }
    content(origin, begin, base, textEnd, end);
  }

  private static int rank(String digits) {
    return digits.length() > 8 ? -1 : Integer.parseInt(digits);
  }

  private static String first(@Nullable String one, @Nullable String other) {
    return one != null ? one : other != null ? other : "";
  }

  private boolean mayHavePrefix(int begin, int end) {
    return begin < end && (bytes[begin] == '[' || "VIWEDC2".indexOf(bytes[begin]) >= 0);
  }

  private String text(int begin, int end) {
    return new String(bytes, begin, end - begin, StandardCharsets.ISO_8859_1);
  }

  private void content(Origin origin, int begin, int base, int textEnd, int end) {
    boolean prefixed = base > begin;
    int first = base;
    while (first < textEnd && (bytes[first] == ' ' || bytes[first] == '\t')) {
      first++;
    }
    Open current = open.get(origin.rank());
    boolean blank = first == textEnd || bytes[first] == '\r';
    int indent = first - base;
    boolean inside =
        current != null
            && current.prefixed == prefixed
            && current.origin.equals(origin)
            && (blank
                || indent > current.indent
                || bytes[first] == '#'
                || current.form == Form.TABLE && isRow(base, textEnd));
    if (current != null && inside) {
      current.add(Math.min(first, textEnd), end, base);
      return;
    }
    if (current != null && current.prefixed && !prefixed) {
      return;
    }
    open.remove(origin.rank());
    if (!blank) {
      start(origin, prefixed, base, textEnd, end);
    }
  }

  private void start(Origin origin, boolean prefixed, int base, int textEnd, int end) {
    if (textEnd - base > 1 << 20 && !startsLikeGraph(base)) {
      return;
    }
    String text = text(base, textEnd).stripTrailing();
    Matcher title = TITLE.matcher(text);
    if (title.matches()) {
      titles.put(origin.rank(), title.group(1));
      return;
    }
    Matcher head = CLASS.matcher(text);
    Form form = Form.PYTHON;
    if (!head.matches()) {
      head = FUNCTION.matcher(text);
    }
    if (!head.matches()) {
      head = NODES.matcher(text);
      form = Form.NODES;
    }
    if (!head.matches()) {
      head = TABLE.matcher(text);
      form = Form.TABLE;
    }
    if (head.matches()) {
      int indent = head.end(1);
      Open graph = new Open(form, origin, titles.getOrDefault(origin.rank(), ""), prefixed, indent);
      titles.remove(origin.rank());
      int begin = base + head.start(2);
      graph.add(begin, end, begin - indent);
      open.put(origin.rank(), graph);
      found.add(graph);
    }
  }

  private boolean isRow(int base, int textEnd) {
    return ROW.matcher(text(base, Math.min(textEnd, base + 64))).lookingAt();
  }

  private boolean startsLikeGraph(int base) {
    return text(base, Math.min(bytes.length, base + 200)).stripLeading().startsWith("def ");
  }
}
