package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.math.BigInteger;

/** Decodes numbers as MLIR does; what is wrong with one is the message of an exception. */
final class NumberReader {
  private static final BigInteger LIMIT = BigInteger.ONE.shiftLeft(64);

  private NumberReader() {}

  /** Returns an integer of {@code element}, two's complement; bools are 0 or 1. */
  static long integer(String text, ElementType element) {
    if (text.equals("true") || text.equals("false")) {
      if (!element.isBool()) {
        throw new IllegalArgumentException("expected i1 type for 'true' or 'false' values");
      }
      return text.equals("true") ? 1 : 0;
    }
    boolean negative = text.startsWith("-");
    if (negative && element.isUnsigned()) {
      throw new IllegalArgumentException(
          "expected unsigned integer elements, but parsed negative value");
    }
    BigInteger value;
    try {
      String digits = negative ? text.substring(1) : text;
      if (digits.length() < 18 && !digits.startsWith("0x") && !digits.startsWith("-")) {
        long small = Long.parseLong(digits);
        return fit(negative ? -small : small, element);
      }
      value = digits.startsWith("0x") ? new BigInteger(digits.substring(2), 16) : big(digits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("expected integer elements, but parsed '" + text + "'", e);
    }
    boolean hex = text.startsWith("0x");
    BigInteger signed = negative ? value.negate() : value;
    if (value.compareTo(LIMIT) >= 0
        || !hex && !element.isUnsigned() && signed.bitLength() > 63
        || negative && hex) {
      throw new IllegalArgumentException("integer constant out of range for attribute");
    }
    long bits = signed.longValue();
    // Hexadecimal digits are bits: 0xFF is -1 in i8.
    int width = element.bits();
    if (hex && !element.isUnsigned() && !element.isBool() && width < 64) {
      if (value.bitLength() > width) {
        throw new IllegalArgumentException("integer constant out of range for attribute");
      }
      return bits << (64 - width) >> (64 - width);
    }
    return hex || element == ElementType.UI64 || width == 64 ? bits : fit(bits, element);
  }

  private static BigInteger big(String digits) {
    if (digits.length() > 40) {
      throw new IllegalArgumentException("integer constant out of range for attribute");
    }
    return new BigInteger(digits);
  }

  private static long fit(long value, ElementType element) {
    int width = element.bits();
    if (element.isFloat() || element.isComplex()) {
      throw new IllegalArgumentException("expected floating-point elements, but parsed integer");
    }
    boolean fits;
    if (width == 64) {
      fits = true;
    } else if (element.isUnsigned() || element.isBool()) {
      fits = value >= 0 && value < 1L << width || element.isBool() && value == -1;
    } else {
      // MLIR takes 255 for an i8 as its bits.
      fits = value >= -(1L << (width - 1)) && value < 1L << width;
    }
    if (!fits) {
      throw new IllegalArgumentException("integer constant out of range for attribute");
    }
    if (element.isBool()) {
      return value & 1;
    }
    return element.isUnsigned() ? value : value << (64 - width) >> (64 - width);
  }

  /** Returns a number of {@code element}, rounded to it; {@code 0x} gives its bits. */
  static double real(String text, ElementType element) {
    Literal one = literal(text, element);
    return one.getDouble(0);
  }

  private static Literal literal(String text, ElementType element) {
    LiteralBuilder builder = new LiteralBuilder(TensorType.of(element));
    set(builder, 0, text);
    return builder.build();
  }

  /** Sets a real element from its text. */
  static void set(LiteralBuilder builder, int i, String text) {
    ElementType element = builder.type().element();
    if (text.startsWith("0x")) {
      builder.setBits(i, bits(text, element));
    } else if (text.indexOf('.') < 0) {
      throw new IllegalArgumentException("expected floating-point elements, but parsed integer");
    } else {
      builder.setDouble(i, parse(text));
    }
  }

  static long bits(String text, ElementType element) {
    BigInteger value;
    try {
      value = new BigInteger(text.substring(2), 16);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("expected hexadecimal number, got '" + text + "'", e);
    }
    if (value.bitLength() > element.bits()) {
      throw new IllegalArgumentException("hexadecimal float constant out of range for type");
    }
    return value.longValue();
  }

  static double parse(String text) {
    try {
      char last = text.charAt(text.length() - 1);
      if (last > '9' || text.length() > 400) {
        throw new NumberFormatException(text);
      }
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      if (!text.isEmpty() && text.charAt(text.length() - 1) == '.') {
        return Double.parseDouble(text + "0");
      }
      throw new IllegalArgumentException("expected floating point number, got '" + text + "'", e);
    }
  }
}
