package dev.lockstep.hlo.op.elementwise;

/**
 * Arithmetic on integers of any width up to 64 bits, where XLA defines what hardware leaves open:
 * overflow wraps, division by zero gives -1 (all ones), shifts beyond the width push all bits out.
 *
 * <p>Source: XLA {@code xla/service/elemental_ir_emitter.cc}, StableHLO specification.
 */
final class Integers {
  private Integers() {}

  static long divide(long a, long b, int bits) {
    return b == 0 ? -1 : a / b;
  }

  static long divideUnsigned(long a, long b, int bits) {
    return b == 0 ? -1 : Long.divideUnsigned(a, b);
  }

  static long remainder(long a, long b, int bits) {
    return b == 0 ? a : a % b;
  }

  static long remainderUnsigned(long a, long b, int bits) {
    return b == 0 ? a : Long.remainderUnsigned(a, b);
  }

  static long minUnsigned(long a, long b, int bits) {
    return Long.compareUnsigned(a, b) <= 0 ? a : b;
  }

  static long maxUnsigned(long a, long b, int bits) {
    return Long.compareUnsigned(a, b) >= 0 ? a : b;
  }

  /** Returns {@code a} to the power of {@code b}; 1 / a truncated for a negative exponent. */
  static long power(long a, long b, int bits) {
    if (b < 0) {
      return a == 1 ? 1 : a == -1 ? ((b & 1) == 0 ? 1 : -1) : 0;
    }
    return powerUnsigned(a, b, bits);
  }

  static long powerUnsigned(long a, long b, int bits) {
    long result = 1;
    long base = a;
    for (long rest = b; rest != 0; rest >>>= 1) {
      if ((rest & 1) != 0) {
        result *= base;
      }
      base *= base;
    }
    return result;
  }

  static long mask(int bits) {
    return bits == 64 ? -1L : (1L << bits) - 1;
  }

  private static boolean beyond(long shift, int bits) {
    return Long.compareUnsigned(shift & mask(bits), bits) >= 0;
  }

  static long shiftLeft(long a, long b, int bits) {
    return beyond(b, bits) ? 0 : a << b;
  }

  static long shiftRightLogical(long a, long b, int bits) {
    return beyond(b, bits) ? 0 : (a & mask(bits)) >>> b;
  }

  /** Shifts the sign bit in; {@code a} may be unsigned, its highest bit is its sign. */
  static long shiftRightArithmetic(long a, long b, int bits) {
    long extended = a << (64 - bits) >> (64 - bits);
    return extended >> (beyond(b, bits) ? 63 : b);
  }

  static long leadingZeros(long a, int bits) {
    return Long.numberOfLeadingZeros(a & mask(bits)) - (64L - bits);
  }

  static long ones(long a, int bits) {
    return Long.bitCount(a & mask(bits));
  }

  /** Returns the upper half of the product of two signed integers. */
  static long multiplyHigh(long a, long b, int bits) {
    return bits == 64 ? Math.multiplyHigh(a, b) : (a * b) >> bits;
  }

  /** Returns the upper half of the product of two unsigned integers. */
  static long multiplyHighUnsigned(long a, long b, int bits) {
    if (bits < 64) {
      return (a * b) >>> bits;
    }
    return Math.multiplyHigh(a, b) + ((a >> 63) & b) + ((b >> 63) & a);
  }
}
