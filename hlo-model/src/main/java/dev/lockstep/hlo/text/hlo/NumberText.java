package dev.lockstep.hlo.text.hlo;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** Numbers as C's {@code %.*g} writes them. */
final class NumberText {
  private NumberText() {}

  /** Appends {@code value} with the fewer of two numbers of digits that still reads back. */
  static void roundTrip(StringBuilder out, double value, int few, int many, boolean single) {
    if (Double.isNaN(value)) {
      out.append(Double.doubleToRawLongBits(value) < 0 ? "-nan" : "nan");
      return;
    }
    if (Double.isInfinite(value)) {
      out.append(value < 0 ? "-inf" : "inf");
      return;
    }
    if (Math.abs(value) < Math.min(100000, Math.pow(10, few)) && value == (long) value) {
      if (value == 0 && 1 / value < 0) {
        out.append('-');
      }
      out.append((long) value);
      return;
    }
    BigDecimal exact = new BigDecimal(value);
    BigDecimal rounded = exact.round(new MathContext(few, RoundingMode.HALF_EVEN));
    boolean same = single ? rounded.floatValue() == (float) value : rounded.doubleValue() == value;
    if (!same) {
      rounded = exact.round(new MathContext(many, RoundingMode.HALF_EVEN));
      general(out, rounded, many);
    } else {
      general(out, rounded, few);
    }
  }

  /** Appends {@code value} with {@code digits} digits. */
  static void digits(StringBuilder out, double value, int digits) {
    roundTrip(out, value, digits, digits, false);
  }

  private static void general(StringBuilder out, BigDecimal value, int precision) {
    String all = value.unscaledValue().abs().toString();
    int exponent = all.length() - 1 - value.scale();
    int end = all.length();
    while (end > 1 && all.charAt(end - 1) == '0') {
      end--;
    }
    String digits = all.substring(0, end);
    if (value.signum() < 0) {
      out.append('-');
    }
    if (exponent < -4 || exponent >= precision) {
      out.append(digits.charAt(0));
      if (digits.length() > 1) {
        out.append('.').append(digits, 1, digits.length());
      }
      out.append('e').append(exponent < 0 ? '-' : '+');
      int size = Math.abs(exponent);
      out.append(size < 10 ? "0" : "").append(size);
    } else if (exponent < 0) {
      out.append("0.");
      for (int i = -1; i > exponent; i--) {
        out.append('0');
      }
      out.append(digits);
    } else if (digits.length() <= exponent + 1) {
      out.append(digits);
      for (int i = digits.length(); i <= exponent; i++) {
        out.append('0');
      }
    } else {
      out.append(digits, 0, exponent + 1).append('.').append(digits, exponent + 1, digits.length());
    }
  }
}
