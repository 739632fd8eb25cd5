package dev.lockstep.golden.reference;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import java.util.List;

/** torch's reduce ops, folding the members in group order and rounding after each step. */
final class TorchReduction {
  private TorchReduction() {}

  /** Returns the reduction of {@code members}, which have one type. */
  static Literal reduce(String op, String rounding, List<Literal> members) {
    Literal all = members.get(0);
    for (Literal member : members.subList(1, members.size())) {
      all = join(op.equals("avg") ? "sum" : op, all, member);
    }
    return op.equals("avg") ? divided(all, members.size(), rounding) : all;
  }

  private static Literal join(String op, Literal a, Literal b) {
    LiteralBuilder out = new LiteralBuilder(a.type());
    ElementType element = a.element();
    for (int i = 0; i < a.count(); i++) {
      if (element.isComplex()) {
        out.setComplex(i, a.getDouble(i) + b.getDouble(i), a.getImaginary(i) + b.getImaginary(i));
      } else if (element.isFloat()) {
        out.setDouble(i, floating(op, a.getDouble(i), b.getDouble(i)));
      } else if (element.isBool()) {
        out.setBoolean(i, bool(op, a.getBoolean(i), b.getBoolean(i)));
      } else {
        out.setLong(i, integer(op, a.getLong(i), b.getLong(i), element == ElementType.UI64));
      }
    }
    return out.build();
  }

  private static double floating(String op, double a, double b) {
    return switch (op) {
      case "sum" -> a + b;
      case "product" -> a * b;
      case "min" -> Math.min(a, b);
      case "max" -> Math.max(a, b);
      default -> throw new IllegalArgumentException(op + " on floats");
    };
  }

  private static boolean bool(String op, boolean a, boolean b) {
    return switch (op) {
      case "sum", "max", "bor" -> a || b;
      case "product", "min", "band" -> a && b;
      case "bxor" -> a != b;
      default -> throw new IllegalArgumentException(op + " on booleans");
    };
  }

  private static long integer(String op, long a, long b, boolean unsigned) {
    int order = unsigned ? Long.compareUnsigned(a, b) : Long.compare(a, b);
    return switch (op) {
      case "sum" -> a + b;
      case "product" -> a * b;
      case "min" -> order <= 0 ? a : b;
      case "max" -> order >= 0 ? a : b;
      case "band" -> a & b;
      case "bor" -> a | b;
      case "bxor" -> a ^ b;
      default -> throw new IllegalArgumentException(op + " on integers");
    };
  }

  private static Literal divided(Literal sum, int members, String rounding) {
    LiteralBuilder out = new LiteralBuilder(sum.type());
    for (int i = 0; i < sum.count(); i++) {
      if (sum.element().isComplex()) {
        out.setComplex(i, sum.getDouble(i) / members, sum.getImaginary(i) / members);
      } else if (sum.element().isFloat()) {
        out.setDouble(i, sum.getDouble(i) / members);
      } else if (sum.element() == ElementType.UI64) {
        out.setLong(i, Long.divideUnsigned(sum.getLong(i), members));
      } else {
        long value = sum.getLong(i);
        out.setLong(i, rounding.equals("floor") ? Math.floorDiv(value, members) : value / members);
      }
    }
    return out.build();
  }
}
