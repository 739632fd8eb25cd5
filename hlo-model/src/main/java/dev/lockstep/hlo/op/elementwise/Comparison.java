package dev.lockstep.hlo.op.elementwise;

import static com.google.common.base.Preconditions.checkArgument;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Comparisons of elements; NaN compares as unequal to everything but in total order. */
final class Comparison {
  /** Stands for what is neither less, equal nor greater. */
  private static final int UNORDERED = 2;

  private Comparison() {}

  /** Returns i1 where {@code left} stands in {@code direction} to {@code right}. */
  static Literal compare(String direction, boolean total, Literal left, Literal right) {
    checkArgument(
        left.type().equals(right.type()),
        "compare needs operands of one type, not %s and %s",
        left.type(),
        right.type());
    int accepted = accepted(direction);
    TensorType type = TensorType.of(ElementType.I1, left.dims());
    boolean splat = left.isSplat() && right.isSplat();
    int count = splat ? 1 : left.count();
    LiteralBuilder out = new LiteralBuilder(splat ? TensorType.of(ElementType.I1) : type);
    for (int i = 0; i < count; i++) {
      int order = total ? totalOrder(left, right, i) : order(left, right, i);
      out.setBoolean(i, (accepted & bit(order)) != 0);
    }
    Literal built = out.build();
    return splat ? Literal.splat(type, built.rawStorage()) : built;
  }

  private static int bit(int order) {
    return 1 << (order + 1);
  }

  private static int accepted(String direction) {
    return switch (direction) {
      case "EQ" -> bit(0);
      case "NE" -> bit(-1) | bit(1) | bit(UNORDERED);
      case "LT" -> bit(-1);
      case "LE" -> bit(-1) | bit(0);
      case "GT" -> bit(1);
      case "GE" -> bit(1) | bit(0);
      default -> throw new IllegalArgumentException(direction + " is no comparison direction");
    };
  }

  private static int order(Literal left, Literal right, int i) {
    return switch (left.element().kind()) {
      case BOOL, SIGNED -> Long.compare(left.getLong(i), right.getLong(i));
      case UNSIGNED -> sign(Long.compareUnsigned(left.getLong(i), right.getLong(i)));
      case FLOAT -> order(left.getDouble(i), right.getDouble(i));
      case COMPLEX -> {
        int real = order(left.getDouble(i), right.getDouble(i));
        int imaginary = order(left.getImaginary(i), right.getImaginary(i));
        yield real == 0 || imaginary == UNORDERED ? imaginary : real;
      }
    };
  }

  private static int sign(int order) {
    return Integer.signum(order);
  }

  private static int order(double a, double b) {
    return a < b ? -1 : a > b ? 1 : a == b ? 0 : UNORDERED;
  }

  /** -NaN, -Inf, ..., -0, +0, ..., +Inf, +NaN: the order of the bits as sign and magnitude. */
  private static int totalOrder(Literal left, Literal right, int i) {
    if (!left.element().isFloat()) {
      return order(left, right, i);
    }
    int bits = left.element().bits();
    return Long.compare(key(left.getBits(i), bits), key(right.getBits(i), bits));
  }

  private static long key(long raw, int bits) {
    long extended = raw << (64 - bits) >> (64 - bits);
    return extended < 0 ? extended ^ Long.MAX_VALUE : extended;
  }
}
