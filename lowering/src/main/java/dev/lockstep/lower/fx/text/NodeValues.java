package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.Location;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the nodes of lists and tables are in Python, as {@code print_readable()} writes it. */
final class NodeValues {
  /** Words that are no strings where strings have no quotes. */
  private static final ImmutableSet<String> LITERALS =
      ImmutableSet.of("None", "True", "False", "...", "Ellipsis", "slice", "device");

  private static final ImmutableMap<String, String> SYMBOLS =
      ImmutableMap.<String, String>builder()
          .put("add", "+")
          .put("sub", "-")
          .put("mul", "*")
          .put("truediv", "/")
          .put("floordiv", "//")
          .put("mod", "%")
          .put("pow", "**")
          .put("matmul", "@")
          .put("and_", "&")
          .put("or_", "|")
          .put("xor", "^")
          .put("eq", "==")
          .put("ne", "!=")
          .put("lt", "<")
          .put("le", "<=")
          .put("gt", ">")
          .put("ge", ">=")
          .buildOrThrow();

  /** What tables show for functions that are no operators of torch. */
  private static final Pattern OBJECT =
      Pattern.compile("<(?:built-in )?(function|method) ([\\w.]+)(?: .*)?>");

  private NodeValues() {}

  /**
   * Returns what a node computes.
   *
   * @param at the node
   * @param opcode {@code call_function} and the like
   * @param target what is called
   * @param place where that stands
   */
  static Expr of(
      Location at,
      String opcode,
      String target,
      Location place,
      ImmutableList<Expr> arguments,
      ImmutableList<Expr.Keyword> keywords) {
    switch (opcode) {
      case "get_attr":
        return path(place, "self." + target);
      case "call_module":
        return new Expr.Call(at, path(place, "self." + target), arguments, keywords);
      case "call_method":
        return arguments.isEmpty()
            ? new Expr.Call(at, path(place, target), arguments, keywords)
            : new Expr.Call(
                at,
                new Expr.Member(place, arguments.get(0), target),
                arguments.subList(1, arguments.size()),
                keywords);
      default:
        return function(at, qualified(target), place, arguments, keywords);
    }
  }

  /** Returns {@code target} with the modules that tables leave out. */
  private static String qualified(String target) {
    Matcher object = OBJECT.matcher(target);
    if (object.matches()) {
      String name = object.group(2);
      return SYMBOLS.containsKey(name) || name.equals("getitem") || name.equals("neg")
          ? "operator." + name
          : name.equals("getattr") ? name : "torch." + name;
    }
    boolean operator = target.matches("\\w+\\.\\w+\\.\\w+") && !target.startsWith("torch.");
    String full = operator ? "torch.ops." + target : target;
    return full.startsWith("_operator.") ? full.substring(1) : full;
  }

  private static Expr function(
      Location at,
      String target,
      Location place,
      ImmutableList<Expr> arguments,
      ImmutableList<Expr.Keyword> keywords) {
    String name = target.substring(target.lastIndexOf('.') + 1);
    boolean operator = target.startsWith("operator.");
    if (operator && arguments.size() == 2) {
      Expr left = arguments.get(0);
      Expr right = arguments.get(1);
      String symbol = SYMBOLS.get(name);
      if (symbol != null) {
        return new Expr.Binary(at, symbol, left, right);
      }
      if (name.equals("getitem")) {
        return new Expr.Index(at, left, right);
      }
      if (name.startsWith("i") && SYMBOLS.containsKey(name.substring(1))) {
        Expr method = new Expr.Member(place, left, method(name.substring(1)) + "_");
        return new Expr.Call(at, method, ImmutableList.of(right), keywords);
      }
    }
    if (operator && name.equals("neg") && arguments.size() == 1) {
      return new Expr.Negative(at, arguments.get(0));
    }
    if (name.equals("getattr") && arguments.size() == 2) {
      String attribute = word(arguments.get(1));
      if (attribute != null) {
        return new Expr.Member(at, arguments.get(0), attribute);
      }
    }
    return new Expr.Call(at, path(place, target), arguments, keywords);
  }

  private static String method(String operator) {
    return operator.equals("truediv") ? "div" : operator;
  }

  private static @Nullable String word(Expr value) {
    return value instanceof Expr.Text text
        ? text.value()
        : value instanceof Expr.Name name ? name.word() : null;
  }

  private static Expr path(Location place, String path) {
    ImmutableList<String> words = ImmutableList.copyOf(path.split("\\.", -1));
    Expr out = new Expr.Name(place, words.get(0));
    for (String word : words.subList(1, words.size())) {
      out = new Expr.Member(place, out, word);
    }
    return out;
  }

  /**
   * Returns {@code value} without the marks of nodes.
   *
   * @param bare whether names without a mark are nodes too, and not strings
   */
  static Expr unmarked(Expr value, boolean bare) {
    if (value instanceof Expr.Name name) {
      if (name.word().startsWith("%")) {
        return new Expr.Name(name.location(), name.word().substring(1));
      }
      return bare || LITERALS.contains(name.word())
          ? name
          : new Expr.Text(name.location(), name.word());
    }
    if (value instanceof Expr.Items items) {
      return new Expr.Items(items.location(), all(items.elements(), bare), items.tuple());
    }
    if (value instanceof Expr.Call call) {
      return new Expr.Call(
          call.location(), call.callee(), all(call.arguments(), bare), call.keywords());
    }
    String path = value.path();
    boolean words = path != null && !bare && !path.startsWith("torch.");
    return words ? new Expr.Text(value.location(), String.valueOf(path)) : value;
  }

  private static ImmutableList<Expr> all(ImmutableList<Expr> values, boolean bare) {
    return values.stream()
        .map(value -> unmarked(value, bare))
        .collect(ImmutableList.toImmutableList());
  }
}
