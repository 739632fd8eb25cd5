package dev.lockstep.hlo.op.elementwise;

/** Functions of real numbers where Java's library differs from C's, which XLA follows. */
final class Reals {
  private Reals() {}

  /** As C's {@code pow}: 1 to any power is 1 even for NaN, and so is -1 to an infinite power. */
  static double power(double a, double b) {
    if (a == 1 || (a == -1 && Double.isInfinite(b))) {
      return 1;
    }
    return Math.pow(a, b);
  }

  static double roundAwayFromZero(double x) {
    double magnitude = Math.abs(x);
    double whole = Math.floor(magnitude);
    // Adding a half first would round the largest number below a half upwards.
    double rounded = magnitude - whole >= 0.5 ? whole + 1 : whole;
    return Math.copySign(Double.isInfinite(x) ? magnitude : rounded, x);
  }

  static double logistic(double x) {
    return 1 / (1 + Math.exp(-x));
  }

  static double asinh(double x) {
    double a = Math.abs(x);
    if (Double.isNaN(x) || Double.isInfinite(x) || a < 0x1p-28) {
      return x;
    }
    double result =
        a > 0x1p28 ? Math.log(a) + Math.log(2) : Math.log1p(a + a * a / (1 + Math.sqrt(1 + a * a)));
    return Math.copySign(result, x);
  }

  static double acosh(double x) {
    if (x < 1) {
      return Double.NaN;
    }
    if (x > 0x1p28) {
      return Math.log(x) + Math.log(2);
    }
    double t = x - 1;
    return Math.log1p(t + Math.sqrt(2 * t + t * t));
  }

  static double atanh(double x) {
    double a = Math.abs(x);
    double result = 0.5 * Math.log1p(2 * a / (1 - a));
    return Math.copySign(result, x);
  }
}
