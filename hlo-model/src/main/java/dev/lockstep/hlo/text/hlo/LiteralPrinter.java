package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;

/** Writes literals as XLA's {@code Literal::ToStringWithoutShapeOneline} does. */
final class LiteralPrinter {
  private LiteralPrinter() {}

  /** Appends the values of {@code literal} without its shape. */
  static void print(StringBuilder out, Literal literal) {
    int rank = literal.type().rank();
    if (rank == 0) {
      element(out, literal, 0, true);
      return;
    }
    dimension(out, literal, 0, 0, -1);
  }

  /** Writes dimension {@code d} from element {@code at} on and returns the element after it. */
  private static int dimension(StringBuilder out, Literal literal, int d, int at, long index) {
    int rank = literal.type().rank();
    long size = literal.type().dim(d);
    int next = at;
    if (d == rank - 1) {
      boolean tight = rank == 1 || size <= 1;
      out.append(tight ? "{" : "{ ");
      for (long i = 0; i < size; i++) {
        if (i > 0) {
          out.append(", ");
        }
        element(out, literal, next++, false);
      }
      out.append(tight ? "}" : " }");
      return next;
    }
    out.append("{ ");
    if (rank > 3 && d > 0) {
      out.append("/*i").append(d - 1).append('=').append(index).append("*/ ");
    }
    for (long i = 0; i < size; i++) {
      if (i > 0) {
        out.append(", ");
      }
      next = dimension(out, literal, d + 1, next, i);
    }
    out.append(" }");
    return next;
  }

  private static void element(StringBuilder out, Literal literal, int i, boolean scalar) {
    ElementType type = literal.element();
    switch (type.kind()) {
      case BOOL -> {
        boolean value = literal.getBoolean(i);
        out.append(scalar ? value ? "true" : "false" : value ? "1" : "0");
      }
      case SIGNED -> out.append(literal.getLong(i));
      case UNSIGNED -> {
        long value = literal.getLong(i);
        out.append(value >= 0 ? Long.toString(value) : Long.toUnsignedString(value));
      }
      case FLOAT -> floating(out, type, literal, i);
      case COMPLEX -> {
        ElementType part = type.realPart();
        out.append('(');
        real(out, part, literal.getDouble(i));
        out.append(", ");
        real(out, part, literal.getImaginary(i));
        out.append(')');
      }
    }
  }

  private static void floating(StringBuilder out, ElementType type, Literal literal, int i) {
    double value = literal.getDouble(i);
    if (Double.isNaN(value)) {
      nan(out, type, literal.getBits(i));
      return;
    }
    real(out, type, value);
  }

  private static void nan(StringBuilder out, ElementType type, long bits) {
    int mantissa =
        switch (type) {
          case F64 -> 52;
          case F32 -> 23;
          case F16 -> 10;
          case BF16 -> 7;
          case F8E5M2 -> 2;
          case F8E4M3 -> 3;
          case F8E3M4 -> 4;
          default -> 0;
        };
    if (mantissa == 0) {
      boolean negative = type != ElementType.F8E8M0FNU && (bits & 0x80) != 0;
      out.append(negative ? "-nan" : "nan");
      return;
    }
    out.append((bits >>> (type.bits() - 1) & 1) != 0 ? "-nan" : "nan");
    long payload = bits & (1L << mantissa) - 1;
    if (payload != 1L << (mantissa - 1)) {
      out.append("(0x").append(Long.toHexString(payload)).append(')');
    }
  }

  private static void real(StringBuilder out, ElementType type, double value) {
    switch (type) {
      case F64 -> NumberText.roundTrip(out, value, 15, 17, false);
      case F32 -> NumberText.roundTrip(out, value, 6, 9, true);
      case F16 -> NumberText.digits(out, value, 5);
      case BF16 -> NumberText.digits(out, value, 4);
      case F8E5M2, F8E5M2FNUZ, F8E8M0FNU -> NumberText.digits(out, value, 2);
      default -> NumberText.digits(out, value, 3);
    }
  }
}
