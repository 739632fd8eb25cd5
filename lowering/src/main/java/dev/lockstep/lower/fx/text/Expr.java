package dev.lockstep.lower.fx.text;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.Location;
import org.jspecify.annotations.Nullable;

/** An expression of a graph's text. Closed: torch.fx writes nothing else. */
public sealed interface Expr {
  /** Returns the place in the text. */
  Location location();

  /** A word: a value of the graph, {@code None}, {@code inf}, {@code torch}. */
  record Name(Location location, String word) implements Expr {}

  /** An integer. */
  record Whole(Location location, long value) implements Expr {}

  /** A number with a point or an exponent. */
  record Real(Location location, double value) implements Expr {}

  /** A string, without its quotes. */
  record Text(Location location, String value) implements Expr {}

  /**
   * A list, a tuple, or the values of a dictionary.
   *
   * @param tuple whether it stood in parentheses or in none
   */
  record Items(Location location, ImmutableList<Expr> elements, boolean tuple) implements Expr {}

  /** {@code base.name}. */
  record Member(Location location, Expr base, String name) implements Expr {}

  /** {@code callee(arguments, keywords)}. */
  record Call(
      Location location,
      Expr callee,
      ImmutableList<Expr> arguments,
      ImmutableList<Keyword> keywords)
      implements Expr {}

  /** {@code base[at]}; {@code at} is a tuple of what stood between the brackets if several did. */
  record Index(Location location, Expr base, Expr at) implements Expr {}

  /** {@code low:high:step} in an index. */
  record Slice(Location location, @Nullable Expr low, @Nullable Expr high, @Nullable Expr step)
      implements Expr {}

  /** {@code left operator right}. */
  record Binary(Location location, String operator, Expr left, Expr right) implements Expr {}

  /** {@code -operand}, where the operand is no number. */
  record Negative(Location location, Expr operand) implements Expr {}

  /** {@code name=value} among the arguments of a call. */
  record Keyword(String name, Expr value) {}

  /** Returns {@code a.b.c} where this is only names and points, else null. */
  default @Nullable String path() {
    if (this instanceof Name name) {
      return name.word();
    }
    if (this instanceof Member member) {
      String base = member.base().path();
      return base == null ? null : base + "." + member.name();
    }
    return null;
  }

  /** Returns whether this is {@code None}. */
  default boolean isNone() {
    return this instanceof Name name && name.word().equals("None");
  }
}
