package dev.lockstep.hlo.op.elementwise;

/**
 * Inverse trigonometric and hyperbolic functions of complex numbers.
 *
 * <p>Near zero they follow Kahan, "Branch cuts for complex elementary functions" (1987); far out,
 * where his square roots would lose what matters or overflow, their leading term is exact.
 */
final class InverseComplexes {
  /** Where the next term of the series, of the size of its square's inverse, is out of sight. */
  private static final double FAR = 1e9;

  private InverseComplexes() {}

  private static boolean isFar(double x, double y) {
    return Math.max(Math.abs(x), Math.abs(y)) > FAR;
  }

  /** log |2z|, which does not overflow. */
  private static double logOfDouble(double x, double y) {
    return Double.isInfinite(x) || Double.isInfinite(y)
        ? Double.POSITIVE_INFINITY
        : Complexes.logSize(x, y) + Math.log(2);
  }

  static void asin(double x, double y, double[] out) {
    if (isFar(x, y)) {
      set(out, Math.atan2(x, Math.abs(y)), Math.copySign(logOfDouble(x, y), y));
      return;
    }
    Complexes.sqrt(1 - x, -y, out);
    double a = out[0];
    double b = out[1];
    Complexes.sqrt(1 + x, y, out);
    double c = out[0];
    double d = out[1];
    set(out, Math.atan2(x, a * c - b * d), Reals.asinh(a * d - b * c));
  }

  static void acos(double x, double y, double[] out) {
    if (isFar(x, y)) {
      set(out, Math.atan2(Math.abs(y), x), Math.copySign(logOfDouble(x, y), -y));
      return;
    }
    Complexes.sqrt(1 - x, -y, out);
    double a = out[0];
    double b = out[1];
    Complexes.sqrt(1 + x, y, out);
    double c = out[0];
    double d = out[1];
    set(out, 2 * Math.atan2(a, c), Reals.asinh(c * b - d * a));
  }

  static void acosh(double x, double y, double[] out) {
    if (isFar(x, y)) {
      set(out, logOfDouble(x, y), Math.atan2(y, x));
      return;
    }
    Complexes.sqrt(x - 1, y, out);
    double a = out[0];
    double b = out[1];
    Complexes.sqrt(x + 1, y, out);
    set(out, Reals.asinh(a * out[0] + b * out[1]), 2 * Math.atan2(b, out[0]));
  }

  static void asinh(double x, double y, double[] out) {
    asin(-y, x, out);
    set(out, out[1], -out[0]);
  }

  static void atanh(double x, double y, double[] out) {
    if (isFar(x, y)) {
      // 1 / z up to a term beyond the last digit, and a quarter turn.
      double size = Math.max(Math.abs(x), Math.abs(y));
      double a = x / size;
      double b = y / size;
      double real = Double.isInfinite(size) ? 0 : a / (a * a + b * b) / size;
      set(out, Math.copySign(real, x), Math.copySign(Math.PI / 2, y));
      return;
    }
    double a = Math.abs(x);
    double real = Math.log1p(4 * a / ((1 - a) * (1 - a) + y * y)) / 4;
    double imaginary = Math.atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2;
    set(out, Math.copySign(real, x), imaginary);
  }

  static void atan(double x, double y, double[] out) {
    atanh(-y, x, out);
    set(out, out[1], -out[0]);
  }

  private static void set(double[] out, double real, double imaginary) {
    out[0] = real;
    out[1] = imaginary;
  }
}
