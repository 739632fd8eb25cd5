package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Writes floating-point numbers as MLIR does: six digits after the point where that reads back as
 * the same value, else as many digits as the format needs, else its bits.
 */
final class FloatText {
  private static final int SHORT_DIGITS = 6;

  private FloatText() {}

  /** Writes element {@code i} of {@code literal}, or its imaginary part. */
  static void write(StringBuilder out, Literal literal, int i, boolean imaginary) {
    ElementType element = literal.element().realPart();
    double value = imaginary ? literal.getImaginary(i) : literal.getDouble(i);
    long bits =
        literal.element().isComplex()
            ? (element == ElementType.F32
                ? Float.floatToRawIntBits((float) value) & 0xFFFFFFFFL
                : Double.doubleToRawLongBits(value))
            : literal.getBits(i);
    write(out, value, bits, element);
  }

  /** Writes {@code value}, which {@code element} can hold. */
  static void write(StringBuilder out, double value, ElementType element) {
    write(out, value, bits(value, element), element);
  }

  private static long bits(double value, ElementType element) {
    LiteralBuilder one = new LiteralBuilder(TensorType.of(element));
    one.setDouble(0, value);
    return one.build().getBits(0);
  }

  private static void write(StringBuilder out, double value, long bits, ElementType element) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      hex(out, bits);
      return;
    }
    if (value == 0) {
      out.append(1 / value < 0 ? "-0.000000e+00" : "0.000000e+00");
      return;
    }
    BigDecimal rounded = round(value, SHORT_DIGITS);
    if (same(rounded, value, element)) {
      sign(out, value);
      scientific(out, rounded, SHORT_DIGITS);
      return;
    }
    int precision = 2 + significandBits(element) * 59 / 196;
    int mark = out.length();
    sign(out, value);
    plain(out, round(value, precision), precision);
    if (out.indexOf(".", mark) < 0) {
      out.setLength(mark);
      hex(out, bits);
    }
  }

  private static void sign(StringBuilder out, double value) {
    if (value < 0) {
      out.append('-');
    }
  }

  private static void hex(StringBuilder out, long bits) {
    out.append("0x").append(Long.toHexString(bits).toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the magnitude of {@code value} to so many digits as LLVM's APFloat gives them: the
   * exact decimal number is first cut, not rounded, to about as many bits as the digits need.
   */
  private static BigDecimal round(double value, int digits) {
    BigDecimal exact = new BigDecimal(Math.abs(value));
    int scale = exact.scale();
    BigInteger significand = exact.unscaledValue();
    if (scale < 0) {
      significand = significand.multiply(BigInteger.TEN.pow(-scale));
      scale = 0;
    }
    int needed = (digits * 196 + 58) / 59;
    int removable = (significand.bitLength() - needed) * 59 / 196;
    if (significand.bitLength() > needed && removable > 0) {
      significand = significand.divide(BigInteger.TEN.pow(removable));
      scale -= removable;
    }
    return new BigDecimal(significand, scale)
        .round(new MathContext(digits, RoundingMode.HALF_UP))
        .stripTrailingZeros();
  }

  private static boolean same(BigDecimal rounded, double value, ElementType element) {
    double magnitude = Math.abs(value);
    return switch (element) {
      case F64 -> rounded.doubleValue() == magnitude;
      case F32 -> rounded.floatValue() == (float) magnitude;
      default -> {
        LiteralBuilder one = new LiteralBuilder(TensorType.of(element));
        one.setDouble(0, rounded.doubleValue());
        yield one.build().getDouble(0) == magnitude;
      }
    };
  }

  /** Returns how many bits of significand the format has, the hidden one included. */
  private static int significandBits(ElementType element) {
    return switch (element) {
      case F64 -> 53;
      case F32 -> 24;
      case F16 -> 11;
      case BF16 -> 8;
      case F8E3M4 -> 5;
      case F8E4M3, F8E4M3FN, F8E4M3FNUZ, F8E4M3B11FNUZ, F6E2M3FN -> 4;
      case F8E5M2, F8E5M2FNUZ, F6E3M2FN -> 3;
      case F4E2M1FN -> 2;
      default -> 1;
    };
  }

  private static void scientific(StringBuilder out, BigDecimal value, int digits) {
    String text = value.unscaledValue().toString();
    int exponent = text.length() - 1 - value.scale();
    out.append(text.charAt(0)).append('.').append(text, 1, text.length());
    out.append("0".repeat(digits - text.length() + 1));
    out.append('e').append(exponent < 0 ? '-' : '+');
    int magnitude = Math.abs(exponent);
    if (magnitude < 10) {
      out.append('0');
    }
    out.append(magnitude);
  }

  /** Writes as LLVM's default: with an exponent only where more than three zeros were needed. */
  private static void plain(StringBuilder out, BigDecimal value, int precision) {
    String digits = value.unscaledValue().toString();
    int exponent = -value.scale();
    int top = exponent + digits.length() - 1;
    boolean scientific =
        exponent >= 0
            ? exponent > 3 || digits.length() + exponent > precision
            : top < 0 && -top > 3;
    if (scientific) {
      out.append(digits.charAt(0)).append('.');
      out.append(digits.length() == 1 ? "0" : digits.substring(1));
      out.append('E').append(top < 0 ? '-' : '+').append(Math.abs(top));
    } else if (exponent >= 0) {
      out.append(digits).append("0".repeat(exponent));
    } else if (top >= 0) {
      out.append(digits, 0, top + 1).append('.').append(digits, top + 1, digits.length());
    } else {
      out.append("0.").append("0".repeat(-top - 1)).append(digits);
    }
  }
}
