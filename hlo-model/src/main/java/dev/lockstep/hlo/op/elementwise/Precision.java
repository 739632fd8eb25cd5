package dev.lockstep.hlo.op.elementwise;

import static com.google.common.base.Preconditions.checkArgument;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;

/** Functions that work on the bits of floating-point numbers. */
final class Precision {
  private Precision() {}

  /**
   * Returns {@code operand} rounded to a format of {@code exponentBits} and {@code mantissaBits}:
   * to nearest even, to infinity above its range and to zero below its normal numbers.
   *
   * <p>Source: XLA {@code EmitReducePrecisionIR} in {@code xla/service/elemental_ir_emitter.cc}.
   */
  static Literal reduce(Literal operand, int exponentBits, int mantissaBits) {
    checkArgument(exponentBits >= 1 && mantissaBits >= 0, "a format needs an exponent");
    int mantissa = mantissaBits(operand.element());
    int exponent = operand.element().bits() - 1 - mantissa;
    return ElementMap.map(
        operand,
        operand.element(),
        (in, out, i) -> {
          long bits = in.getBits(i);
          out.setBits(
              i,
              Double.isNaN(in.getDouble(i))
                  ? (mantissaBits > 0 ? bits : infinity(bits, exponent, mantissa))
                  : reduce(bits, exponent, mantissa, exponentBits, mantissaBits));
        });
  }

  private static long reduce(long bits, int exponent, int mantissa, int toExp, int toMantissa) {
    long sign = bits & (1L << (exponent + mantissa));
    long x = bits ^ sign;
    if (toMantissa < mantissa) {
      int lost = mantissa - toMantissa;
      long last = 1L << lost;
      long odd = (x & last) >>> lost;
      x = (x + (last >>> 1) - 1 + odd) & -last;
    }
    if (toExp < exponent) {
      long bias = (1L << (exponent - 1)) - 1;
      long reducedBias = (1L << (toExp - 1)) - 1;
      long field = x >>> mantissa;
      if (field > bias + reducedBias) {
        return infinity(bits, exponent, mantissa);
      }
      if (field <= bias - reducedBias) {
        return sign;
      }
    }
    return sign | x;
  }

  private static long infinity(long bits, int exponent, int mantissa) {
    long sign = bits & (1L << (exponent + mantissa));
    return sign | (((1L << exponent) - 1) << mantissa);
  }

  private static int mantissaBits(ElementType element) {
    return switch (element) {
      case F16 -> 10;
      case BF16 -> 7;
      case F32 -> 23;
      case F64 -> 52;
      default ->
          throw new IllegalArgumentException("reduce_precision is not defined on " + element);
    };
  }

  /** Returns the number after each of {@code from} in the direction of {@code to}. */
  static Literal nextAfter(Literal from, Literal to) {
    LiteralBuilder out = new LiteralBuilder(from.type());
    int bits = from.element().bits();
    long sign = 1L << (bits - 1);
    for (int i = 0; i < from.count(); i++) {
      double a = from.getDouble(i);
      double b = to.getDouble(i);
      long raw = from.getBits(i);
      if (Double.isNaN(a) || Double.isNaN(b)) {
        out.setDouble(i, Double.NaN);
      } else if (a == b) {
        out.copy(i, to, i);
      } else if (a == 0) {
        out.setBits(i, b < 0 ? sign | 1 : 1);
      } else {
        // Bits without the sign grow with the magnitude.
        out.setBits(i, (a < b) == (a > 0) ? raw + 1 : raw - 1);
      }
    }
    return out.build();
  }
}
