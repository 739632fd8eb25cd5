package dev.lockstep.hlo.op.elementwise;

/** Sums that keep what rounding loses, for places where large terms cancel. */
final class TwoDoubles {
  private TwoDoubles() {}

  /**
   * Returns {@code |1 + x + iy|^2 - 1}, that is {@code x^2 + 2x + y^2}, to nearly full precision
   * even where the terms cancel.
   */
  static double sizeLessOne(double x, double y) {
    double xx = x * x;
    double xxLow = Math.fma(x, x, -xx);
    double yy = y * y;
    double yyLow = Math.fma(y, y, -yy);
    double first = 2 * x + yy;
    double firstLow = lost(2 * x, yy, first);
    double sum = first + xx;
    double sumLow = lost(first, xx, sum);
    return sum + (firstLow + sumLow + xxLow + yyLow);
  }

  /** Returns what {@code sum}, the rounded {@code a + b}, lost (Knuth's TwoSum). */
  private static double lost(double a, double b, double sum) {
    double bPart = sum - a;
    return (a - (sum - bPart)) + (b - bPart);
  }
}
