package dev.lockstep.hlo.literal;

import com.google.common.collect.ImmutableMap;
import com.google.common.collect.Maps;
import dev.lockstep.hlo.type.ElementType;

/**
 * The bit layouts of floating-point types narrower than 32 bits and their exact conversion from and
 * to double, rounding to nearest even.
 *
 * <p>Source: OCP FP8 and MX specifications, and the type list of the StableHLO specification.
 */
public enum FloatFormat {
  F4E2M1FN(2, 1, 1, Special.NONE),
  F6E2M3FN(2, 3, 1, Special.NONE),
  F6E3M2FN(3, 2, 3, Special.NONE),
  F8E3M4(3, 4, 3, Special.IEEE),
  F8E4M3(4, 3, 7, Special.IEEE),
  F8E4M3FN(4, 3, 7, Special.NAN_ALL_ONES),
  F8E4M3B11FNUZ(4, 3, 11, Special.NAN_NEGATIVE_ZERO),
  F8E4M3FNUZ(4, 3, 8, Special.NAN_NEGATIVE_ZERO),
  F8E5M2(5, 2, 15, Special.IEEE),
  F8E5M2FNUZ(5, 2, 16, Special.NAN_NEGATIVE_ZERO),
  F8E8M0FNU(8, 0, 127, Special.EXPONENT_ONLY),
  BF16(8, 7, 127, Special.IEEE),
  F16(5, 10, 15, Special.IEEE);

  /** What the format does beyond finite numbers. */
  private enum Special {
    /** Infinities and NaNs under the largest exponent. */
    IEEE,
    /** Finite only, but exponent and mantissa all ones are NaN. */
    NAN_ALL_ONES,
    /** Finite only, no negative zero; its code is NaN. */
    NAN_NEGATIVE_ZERO,
    /** Finite only, no NaN. */
    NONE,
    /** A power of two without a sign; all ones are NaN. */
    EXPONENT_ONLY
  }

  private final int exponentBits;
  private final int mantissaBits;
  private final int bias;
  private final Special special;

  FloatFormat(int exponentBits, int mantissaBits, int bias, Special special) {
    this.exponentBits = exponentBits;
    this.mantissaBits = mantissaBits;
    this.bias = bias;
    this.special = special;
  }

  /** Looking names up anew for each element would take longer than rounding it. */
  private static final ImmutableMap<ElementType, FloatFormat> BY_TYPE = byType();

  private static ImmutableMap<ElementType, FloatFormat> byType() {
    ImmutableMap.Builder<ElementType, FloatFormat> out = ImmutableMap.builder();
    for (FloatFormat format : values()) {
      out.put(ElementType.valueOf(format.name()), format);
    }
    return Maps.immutableEnumMap(out.buildOrThrow());
  }

  /** Returns the format of a floating-point type of fewer than 32 bits. */
  public static FloatFormat of(ElementType type) {
    FloatFormat format = BY_TYPE.get(type);
    if (format == null) {
      throw new IllegalArgumentException(type + " has no narrow format");
    }
    return format;
  }

  /** Returns the bf16 bits nearest to {@code value}, as {@link #BF16} does, at less cost. */
  public static int bfloat16(double value) {
    float narrow = (float) value;
    if (Float.isNaN(narrow)) {
      return BF16.fromDouble(value);
    }
    int bits = Float.floatToRawIntBits(narrow);
    if (narrow != value) {
      // Rounded to odd, so that rounding again cannot mistake a near tie for a tie.
      bits = (Math.abs((double) narrow) > Math.abs(value) ? bits - 1 : bits) | 1;
    }
    return (bits + 0x7FFF + (bits >>> 16 & 1)) >>> 16;
  }

  private int signBit() {
    return special == Special.EXPONENT_ONLY ? 0 : 1 << (exponentBits + mantissaBits);
  }

  private int maxExponentField() {
    return (1 << exponentBits) - 1;
  }

  /** Returns the bits of the largest finite magnitude. */
  private int maxFinite() {
    int all = (1 << (exponentBits + mantissaBits)) - 1;
    return switch (special) {
      case IEEE -> (maxExponentField() << mantissaBits) - 1;
      case NAN_ALL_ONES, EXPONENT_ONLY -> all - 1;
      case NAN_NEGATIVE_ZERO, NONE -> all;
    };
  }

  private int nan() {
    return switch (special) {
      case IEEE -> (maxExponentField() << mantissaBits) | (1 << (mantissaBits - 1));
      case NAN_ALL_ONES, EXPONENT_ONLY -> (1 << (exponentBits + mantissaBits)) - 1;
      case NAN_NEGATIVE_ZERO -> signBit();
      case NONE -> signBit();
    };
  }

  /** Returns the value of {@code bits}; only the low bits of the format count. */
  public double toDouble(int bits) {
    int sign = bits & signBit();
    int magnitude = bits & ((1 << (exponentBits + mantissaBits)) - 1);
    int exponent = magnitude >>> mantissaBits;
    int mantissa = magnitude & ((1 << mantissaBits) - 1);
    switch (special) {
      case IEEE:
        if (exponent == maxExponentField()) {
          if (mantissa != 0) {
            return Double.NaN;
          }
          return sign != 0 ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        break;
      case NAN_ALL_ONES:
        if (magnitude == (1 << (exponentBits + mantissaBits)) - 1) {
          return Double.NaN;
        }
        break;
      case NAN_NEGATIVE_ZERO:
        if (sign != 0 && magnitude == 0) {
          return Double.NaN;
        }
        break;
      case EXPONENT_ONLY:
        return magnitude == maxExponentField() ? Double.NaN : Math.scalb(1.0, magnitude - bias);
      case NONE:
        break;
    }
    double value =
        exponent == 0
            ? Math.scalb((double) mantissa, 1 - bias - mantissaBits)
            : Math.scalb((double) (mantissa | (1 << mantissaBits)), exponent - bias - mantissaBits);
    return sign != 0 ? -value : value;
  }

  /**
   * Returns the bits nearest to {@code value}, ties to even. What is too large becomes infinity
   * under IEEE rules, NaN where the format has NaN but no infinity, else the largest number.
   */
  public int fromDouble(double value) {
    if (Double.isNaN(value)) {
      return nan()
          | (special == Special.IEEE && Double.doubleToRawLongBits(value) < 0 ? signBit() : 0);
    }
    boolean negative = Double.doubleToRawLongBits(value) < 0;
    double magnitude = Math.abs(value);
    if (special == Special.EXPONENT_ONLY) {
      return exponentOnly(value);
    }
    int bits = round(magnitude);
    if (special == Special.NAN_NEGATIVE_ZERO && bits == 0) {
      return 0;
    }
    if (bits > maxFinite()) {
      bits =
          switch (special) {
            case IEEE -> maxExponentField() << mantissaBits;
            case NAN_ALL_ONES -> nan();
            case NAN_NEGATIVE_ZERO -> {
              negative = true;
              yield 0;
            }
            case NONE, EXPONENT_ONLY -> maxFinite();
          };
    }
    return negative ? bits | signBit() : bits;
  }

  /** Returns exponent and mantissa fields of a non-negative value, possibly beyond the largest. */
  private int round(double magnitude) {
    if (magnitude == 0) {
      return 0;
    }
    if (Double.isInfinite(magnitude)) {
      return Integer.MAX_VALUE;
    }
    int exponent = Math.max(Math.getExponent(magnitude), 1 - bias);
    double scaled = Math.rint(Math.scalb(magnitude, mantissaBits - exponent));
    long units = (long) scaled;
    // A mantissa that rounds up to the next power of two carries into the exponent by itself.
    long bits = ((long) (exponent + bias - 1) << mantissaBits) + units;
    return bits > Integer.MAX_VALUE ? Integer.MAX_VALUE : (int) bits;
  }

  private int exponentOnly(double value) {
    if (!(value > 0) || Double.isInfinite(value)) {
      return value == 0 ? 0 : nan();
    }
    int exponent = Math.getExponent(value);
    double fraction = value / Math.scalb(1.0, exponent);
    // Without a mantissa bit there is no even code to prefer; ml_dtypes breaks ties upwards.
    if (fraction >= 1.5) {
      exponent++;
    }
    int field = exponent + bias;
    return field < 0 ? 0 : field >= maxExponentField() ? nan() : field;
  }
}
