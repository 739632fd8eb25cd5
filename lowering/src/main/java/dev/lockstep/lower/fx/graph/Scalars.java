package dev.lockstep.lower.fx.graph;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.lower.fx.aten.Arg;

/** Python's arithmetic on numbers, which in graphs are sizes. */
final class Scalars {
  private static final ImmutableSet<String> FUNCTIONS =
      ImmutableSet.of(
          "add",
          "sub",
          "mul",
          "floordiv",
          "truediv",
          "mod",
          "pow",
          "neg",
          "eq",
          "ne",
          "lt",
          "le",
          "gt",
          "ge",
          "and_",
          "or_",
          "not_",
          "sym_max",
          "sym_min",
          "max",
          "min",
          "sym_int",
          "sym_float",
          "sym_not",
          "sym_sqrt",
          "sqrt",
          "trunc",
          "ceil",
          "floor",
          "int",
          "abs",
          "round");

  private Scalars() {}

  /** Returns whether {@link #call} knows the function {@code name}. */
  static boolean knows(String name) {
    return FUNCTIONS.contains(name);
  }

  /** Returns the value of a function of numbers. */
  static Arg call(String name, ImmutableList<Arg> arguments, Location location) {
    for (Arg argument : arguments) {
      if (!argument.isNumber()) {
        throw wrong(name + " of " + argument.describe(), location);
      }
    }
    if (arguments.size() == 2) {
      return operator(symbol(name), arguments.get(0), arguments.get(1), location);
    }
    if (arguments.size() != 1) {
      throw wrong(name + " with " + arguments.size() + " arguments", location);
    }
    Arg x = arguments.get(0);
    return switch (name) {
      case "neg" -> operator("-", new Arg.Whole(0), x, location);
      case "abs" -> real(x) < 0 ? operator("-", new Arg.Whole(0), x, location) : x;
      case "sym_not", "not_" -> new Arg.Flag(real(x) == 0);
      case "sym_float" -> new Arg.Real(real(x));
      case "sym_sqrt", "sqrt" -> new Arg.Real(Math.sqrt(real(x)));
      case "ceil" -> new Arg.Whole((long) Math.ceil(real(x)));
      case "floor" -> new Arg.Whole((long) Math.floor(real(x)));
      case "round" -> new Arg.Whole((long) Math.rint(real(x)));
      case "sym_int", "int", "trunc" -> new Arg.Whole((long) real(x));
      default -> throw wrong(name + " with one argument", location);
    };
  }

  private static String symbol(String name) {
    return switch (name) {
      case "add" -> "+";
      case "sub" -> "-";
      case "mul" -> "*";
      case "floordiv" -> "//";
      case "truediv" -> "/";
      case "mod" -> "%";
      case "pow" -> "**";
      case "eq" -> "==";
      case "ne" -> "!=";
      case "lt" -> "<";
      case "le" -> "<=";
      case "gt" -> ">";
      case "ge" -> ">=";
      case "and_" -> "&";
      case "or_" -> "|";
      default -> name;
    };
  }

  private static double real(Arg number) {
    if (number instanceof Arg.Whole whole) {
      return whole.value();
    }
    return number instanceof Arg.Flag flag ? flag.value() ? 1 : 0 : ((Arg.Real) number).value();
  }

  private static long whole(Arg number) {
    return number instanceof Arg.Whole whole ? whole.value() : (long) real(number);
  }

  /** Returns {@code left operator right}. */
  static Arg operator(String operator, Arg left, Arg right, Location location) {
    double a = real(left);
    double b = real(right);
    switch (operator) {
      case "==":
        return new Arg.Flag(a == b);
      case "!=":
        return new Arg.Flag(a != b);
      case "<":
        return new Arg.Flag(a < b);
      case "<=":
        return new Arg.Flag(a <= b);
      case ">":
        return new Arg.Flag(a > b);
      case ">=":
        return new Arg.Flag(a >= b);
      case "sym_max", "max":
        return a >= b ? left : right;
      case "sym_min", "min":
        return a <= b ? left : right;
      case "/":
        return new Arg.Real(a / b);
      default:
        break;
    }
    if (left instanceof Arg.Real || right instanceof Arg.Real) {
      return new Arg.Real(reals(operator, a, b, location));
    }
    try {
      return new Arg.Whole(wholes(operator, whole(left), whole(right), location));
    } catch (ArithmeticException e) {
      throw wrong(left.describe() + " " + operator + " " + right.describe(), location);
    }
  }

  private static double reals(String operator, double a, double b, Location location) {
    return switch (operator) {
      case "+" -> a + b;
      case "-" -> a - b;
      case "*" -> a * b;
      case "//" -> Math.floor(a / b);
      case "%" -> a - b * Math.floor(a / b);
      case "**" -> Math.pow(a, b);
      default -> throw wrong("'" + operator + "' of numbers", location);
    };
  }

  private static long wholes(String operator, long a, long b, Location location) {
    return switch (operator) {
      case "+" -> Math.addExact(a, b);
      case "-" -> Math.subtractExact(a, b);
      case "*" -> Math.multiplyExact(a, b);
      case "//" -> Math.floorDiv(a, b);
      case "%" -> Math.floorMod(a, b);
      case "**" -> (long) Math.pow((double) a, (double) b);
      case "&" -> a & b;
      case "|" -> a | b;
      case "^" -> a ^ b;
      case "<<" -> a << b;
      case ">>" -> a >> b;
      default -> throw wrong("'" + operator + "' of numbers", location);
    };
  }

  private static DiagnosticException wrong(String what, Location location) {
    return DiagnosticException.error("fx-unsupported", what + " is not read", location);
  }
}
