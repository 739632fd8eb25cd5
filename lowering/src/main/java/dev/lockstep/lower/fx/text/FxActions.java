package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.antlr.v4.runtime.Parser;
import org.antlr.v4.runtime.TokenStream;
import org.jspecify.annotations.Nullable;

/** What the grammar {@code FxText} does while it reads: it builds graphs and keeps no tree. */
abstract class FxActions extends Parser {
  private final FxTokens tokens;
  private final GraphStack graphs = new GraphStack();
  private final Deque<List<Expr>> lists = new ArrayDeque<>();
  private final Deque<List<Expr.Keyword>> keywords = new ArrayDeque<>();
  private final Deque<Boolean> tuples = new ArrayDeque<>();
  private List<Expr> targets = new ArrayList<>();
  private @Nullable Expr annotation;
  private @Nullable Source source;

  FxActions(TokenStream input) {
    super(input);
    tokens = (FxTokens) input;
  }

  /** Sets the text that places refer to. */
  final void readFrom(Source text) {
    source = text;
  }

  /** Returns the graphs that stand in no other, in order. */
  final ImmutableList<FxGraph> graphs() {
    return graphs.finish();
  }

  private Location from(int begin) {
    return new Location(java.util.Objects.requireNonNull(source), begin, tokens.previous().end);
  }

  private Location here() {
    return from(tokens.previous().begin);
  }

  final int mark() {
    return tokens.current().begin;
  }

  final String word() {
    return tokens.previous().text;
  }

  final void openClass() {
    graphs.open(column(), here());
  }

  final void className() {
    graphs.name(word(), here());
  }

  final void openFunction() {
    graphs.function(column(), here());
  }

  private int column() {
    return tokens.columnOfPrevious();
  }

  final void addParameter() {
    graphs.parameter(word(), here());
  }

  final void parameterType(Expr type) {
    graphs.parameterType(type);
  }

  final void giveBack(int at, @Nullable Expr value) {
    graphs.result(value, from(at));
  }

  final void target(Expr value) {
    targets.add(value);
  }

  final void annotation(Expr type) {
    annotation = type;
  }

  /** Adds the statement whose targets, and value as the last of them, were read. */
  final void statement(int at) {
    int last = targets.size() - 1;
    boolean valued = last > 0 || annotation == null;
    ImmutableList.Builder<Expr> names = ImmutableList.builder();
    boolean unpacks = false;
    for (int i = 0; i < (valued ? last : last + 1); i++) {
      Expr target = targets.get(i);
      if (target instanceof Expr.Items items) {
        names.addAll(items.elements());
        unpacks = true;
      } else {
        names.add(target);
      }
    }
    Expr value = valued ? targets.get(last) : null;
    graphs.statement(new FxGraph.Statement(from(at), names.build(), unpacks, annotation, value));
    targets = new ArrayList<>();
    annotation = null;
  }

  final void openList() {
    lists.push(new ArrayList<>());
    tuples.push(false);
  }

  final void element(Expr value) {
    lists.element().add(value);
  }

  final void several() {
    tuples.pop();
    tuples.push(true);
  }

  private ImmutableList<Expr> close() {
    tuples.pop();
    return ImmutableList.copyOf(lists.pop());
  }

  final Expr closeExpressions(int at, boolean several) {
    ImmutableList<Expr> elements = close();
    return several ? new Expr.Items(from(at), elements, true) : elements.get(0);
  }

  final Expr closeParentheses(int at, boolean several) {
    ImmutableList<Expr> elements = close();
    return several || elements.isEmpty()
        ? new Expr.Items(from(at), elements, true)
        : elements.get(0);
  }

  final Expr closeBrackets(int at) {
    return new Expr.Items(from(at), close(), false);
  }

  final Expr closeBraces(int at) {
    return new Expr.Items(from(at), close(), false);
  }

  final void openCall() {
    openList();
    keywords.push(new ArrayList<>());
  }

  final void positional(Expr value) {
    element(value);
  }

  final void keyword(Expr name, Expr value) {
    if (!(name instanceof Expr.Name word)) {
      throw DiagnosticException.error("syntax", "expected a name before '='", name.location());
    }
    keywords.element().add(new Expr.Keyword(word.word(), value));
  }

  /** Adds a keyword of a node, whose name may be quoted. */
  final void nodeKeyword(Expr name, Expr value) {
    keyword(
        name instanceof Expr.Text text ? new Expr.Name(name.location(), text.value()) : name,
        value);
  }

  /** Returns a name that is marked as one of a node: {@code %add}. */
  final Expr reference(int at) {
    return new Expr.Name(from(at), "%" + word());
  }

  final Expr call(int at, Expr callee) {
    return new Expr.Call(from(at), callee, close(), ImmutableList.copyOf(keywords.pop()));
  }

  final Expr member(int at, Expr base) {
    return new Expr.Member(from(at), base, word());
  }

  final void subscript(
      int at, boolean slice, @Nullable Expr low, @Nullable Expr high, @Nullable Expr step) {
    if (slice) {
      element(new Expr.Slice(from(at), low, high, step));
    } else if (low != null) {
      element(low);
    }
  }

  final Expr index(int at, Expr base) {
    boolean several = tuples.element();
    ImmutableList<Expr> places = close();
    Location location = from(at);
    return new Expr.Index(
        location,
        base,
        several || places.size() != 1 ? new Expr.Items(location, places, true) : places.get(0));
  }

  final Expr binary(int at, String operator, Expr left, Expr right) {
    return new Expr.Binary(from(at), operator, left, right);
  }

  final Expr negative(int at, Expr operand) {
    Location location = from(at);
    if (operand instanceof Expr.Whole whole) {
      return new Expr.Whole(location, -whole.value());
    }
    if (operand instanceof Expr.Real real) {
      return new Expr.Real(location, -real.value());
    }
    return new Expr.Negative(location, operand);
  }

  /** Python's {@code ~} is a function by another name. */
  final Expr inverted(int at, Expr operand) {
    Location location = from(at);
    Expr function = new Expr.Member(location, new Expr.Name(location, "torch"), "bitwise_not");
    return new Expr.Call(location, function, ImmutableList.of(operand), ImmutableList.of());
  }

  final Expr name() {
    String word = word();
    return switch (word) {
      case "inf" -> new Expr.Real(here(), Double.POSITIVE_INFINITY);
      case "nan" -> new Expr.Real(here(), Double.NaN);
      default -> new Expr.Name(here(), word);
    };
  }

  final Expr number() {
    String text = word().replace("_", "");
    try {
      if (text.startsWith("0x") || text.startsWith("0X")) {
        return new Expr.Whole(here(), Long.parseUnsignedLong(text.substring(2), 16));
      }
      if (text.chars().allMatch(Character::isDigit)) {
        return new Expr.Whole(here(), wrapped(text));
      }
      return new Expr.Real(here(), Double.parseDouble(text));
    } catch (NumberFormatException e) {
      throw DiagnosticException.error("syntax", "'" + text + "' is no number", here());
    }
  }

  /** Numbers up to 2^64 stand in graphs, as sizes that mean no end and as masks. */
  private static long wrapped(String digits) {
    return digits.length() < 19 ? Long.parseLong(digits) : Long.parseUnsignedLong(digits);
  }

  final Expr string() {
    return new Expr.Text(here(), word());
  }

  final Expr joined(Expr before) {
    return new Expr.Text(here(), ((Expr.Text) before).value() + word());
  }

  final Expr ellipsis() {
    return new Expr.Name(here(), "...");
  }
}
