package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads a graph that is written as its nodes, a line each: as {@code print(graph)} lists them,
 *
 * <pre>{@code
 * graph():
 *     %x : [num_users=1] = placeholder[target=x]
 *     %sum_1 : [num_users=1] = call_function[target=torch.ops.aten.sum.default](args = (%x,), kwargs = {})
 *     return sum_1
 * }</pre>
 *
 * or as {@code graph.print_tabular()} does, in the columns opcode, name, target, args and kwargs.
 * Neither says types. Lists put no quotes around strings: what is not marked as a node is one.
 */
final class NodeLines {
  /** Name, opcode, target, arguments, keywords. */
  private static final Pattern NODE =
      Pattern.compile(
          "\\s*%?([\\w.]+) *:.*?\\[(?:num_users|#users)=\\d+\\] *= *(\\w+)\\[target=(.*?)\\]"
              + "(?:\\((?:args = (\\(.*\\)), kwargs = (\\{.*\\})|default=.*)\\))?\\s*");

  private static final Pattern RESULT = Pattern.compile("\\s*(return)\\b *(.*?)\\s*");
  private static final Pattern RULE = Pattern.compile("\\s*-+(?: +-+)+\\s*");
  private static final int COLUMNS = 5;

  private final Source source;
  private final GraphLines.Section section;
  private final boolean table;
  private final List<FxGraph.Parameter> parameters = new ArrayList<>();
  private final List<FxGraph.Statement> statements = new ArrayList<>();
  private int @Nullable [] columns;
  private @Nullable Expr result;
  private @Nullable Location returns;

  private NodeLines(Source source, GraphLines.Section section) {
    this.source = source;
    this.section = section;
    this.table = section.form() == GraphLines.Form.TABLE;
  }

  /** A range of bytes of the text. */
  private record Part(int begin, int end) {}

  /**
   * Returns the graph that {@code section} holds.
   *
   * @throws DiagnosticException when a line is no node, or the graph ends without a result
   */
  static FxGraph read(Source source, GraphLines.Section section) {
    return new NodeLines(source, section).graph();
  }

  private FxGraph graph() {
    Location head = location(new Part(section.begins().get(0), section.ends().get(0)));
    for (int i = 1; i < section.begins().length(); i++) {
      Part line = new Part(section.begins().get(i), section.ends().get(i));
      String text = text(line);
      if (!text.isBlank() && !text.stripLeading().startsWith("#")) {
        line(text, table ? section.bases().get(i) : line.begin(), line);
      }
    }
    if (returns == null) {
      throw DiagnosticException.error("syntax", "the graph ends without a return", head);
    }
    return new FxGraph(
        "forward",
        head,
        ImmutableList.copyOf(parameters),
        ImmutableList.copyOf(statements),
        result,
        returns);
  }

  private void line(String text, int base, Part line) {
    if (table) {
      row(text, base, line);
      return;
    }
    Matcher end = RESULT.matcher(text);
    if (end.matches()) {
      giveBack(location(part(end, 1, base)), part(end, 2, base));
      return;
    }
    Matcher node = NODE.matcher(text);
    if (!node.matches()) {
      throw DiagnosticException.error(
          "syntax",
          "expected a node: %name : [num_users=1] = opcode[target=...](args = (...), kwargs = {})",
          location(new Part(line.begin(), line.begin() + text.stripTrailing().length())));
    }
    node(
        location(new Part(line.begin(), line.begin() + text.stripTrailing().length())),
        node.group(2),
        part(node, 1, base),
        part(node, 3, base),
        node.group(4) == null ? null : part(node, 4, base),
        node.group(5) == null ? null : part(node, 5, base));
  }

  /** Reads a row; the rule under the heading says where columns begin. */
  private void row(String text, int base, Part line) {
    String whole = text(new Part(base, line.end()));
    if (RULE.matcher(whole).matches()) {
      int[] begins = new int[COLUMNS];
      int found = 0;
      for (int i = 0; i < whole.length() && found < COLUMNS; i++) {
        if (whole.charAt(i) == '-' && (i == 0 || whole.charAt(i - 1) == ' ')) {
          begins[found++] = i;
        }
      }
      columns = begins;
      return;
    }
    if (columns == null) {
      throw DiagnosticException.error(
          "syntax", "expected the rule that shows the columns: ------  ----", location(line));
    }
    Part[] cells = new Part[COLUMNS];
    for (int i = 0; i < COLUMNS; i++) {
      int begin = Math.min(whole.length(), columns[i]);
      int end = i + 1 < COLUMNS ? Math.min(whole.length(), columns[i + 1]) : whole.length();
      String cell = whole.substring(begin, Math.max(begin, end));
      int lead = cell.length() - cell.stripLeading().length();
      cells[i] = new Part(base + begin + lead, base + begin + lead + cell.strip().length());
    }
    Location location = location(new Part(line.begin(), line.begin() + text.strip().length()));
    String opcode = text(cells[0]);
    if (opcode.equals("output")) {
      giveBack(location, cells[3]);
      if (result instanceof Expr.Items items && items.elements().size() == 1) {
        result = items.elements().get(0);
      }
      return;
    }
    node(location, opcode, cells[1], cells[2], cells[3], cells[4]);
  }

  private void giveBack(Location location, Part value) {
    returns = location;
    result = value.begin() == value.end() ? null : expression(value, true);
  }

  private void node(
      Location location,
      String opcode,
      Part name,
      Part target,
      @Nullable Part arguments,
      @Nullable Part keywords) {
    if (opcode.equals("placeholder")) {
      parameters.add(new FxGraph.Parameter(text(name), location(name), null));
      return;
    }
    ImmutableList<Expr> given = ImmutableList.of();
    if (arguments != null && expression(arguments, false) instanceof Expr.Items items) {
      given = items.elements();
    }
    ImmutableList<Expr.Keyword> named = ImmutableList.of();
    if (keywords != null) {
      named = keywords(keywords);
    }
    Expr value = NodeValues.of(location, opcode, text(target), location(target), given, named);
    statements.add(
        new FxGraph.Statement(
            location,
            ImmutableList.of(new Expr.Name(location(name), text(name))),
            false,
            null,
            value));
  }

  private FxText parser(Part part) {
    return FxTexts.parser(
        source,
        new GraphLines.Section(
            section.form(),
            section.origin(),
            section.title(),
            ImmutableIntArray.of(part.begin()),
            ImmutableIntArray.of(part.end()),
            ImmutableIntArray.of(part.begin())));
  }

  /** Returns what {@code part} says; {@code bare} where names of nodes carry no mark. */
  private Expr expression(Part part, boolean bare) {
    return NodeValues.unmarked(parser(part).nodeArguments().value, bare || table);
  }

  private ImmutableList<Expr.Keyword> keywords(Part part) {
    ImmutableList.Builder<Expr.Keyword> out = ImmutableList.builder();
    for (Expr.Keyword each : ((Expr.Call) parser(part).nodeKeywords().value).keywords()) {
      out.add(new Expr.Keyword(each.name(), NodeValues.unmarked(each.value(), table)));
    }
    return out.build();
  }

  private Part part(Matcher matcher, int group, int base) {
    return new Part(base + matcher.start(group), base + matcher.end(group));
  }

  private Location location(Part part) {
    return new Location(source, part.begin(), part.end());
  }

  private String text(Part part) {
    return new String(
        source.bytes(), part.begin(), part.end() - part.begin(), StandardCharsets.ISO_8859_1);
  }
}
