package dev.lockstep.hlo.op.elementwise;

/**
 * Special functions of CHLO, in double precision, by series, continued fractions and recurrences.
 *
 * <p>Source: Abramowitz and Stegun, "Handbook of Mathematical Functions", by formula number.
 */
final class Special {
  private static final double SQRT_PI = Math.sqrt(Math.PI);
  private static final double TWO_OVER_SQRT_PI = 2 / SQRT_PI;
  private static final double HALF_LOG_TWO_PI = Math.log(2 * Math.PI) / 2;

  /** Bernoulli numbers B2, B4, ... of the asymptotic series (23.1.3). */
  private static final double[] BERNOULLI = {
    1.0 / 6, -1.0 / 30, 1.0 / 42, -1.0 / 30, 5.0 / 66, -691.0 / 2730, 7.0 / 6, -3617.0 / 510
  };

  private Special() {}

  /** The error function: 7.1.5 near zero, else by its complement. */
  static double erf(double x) {
    double a = Math.abs(x);
    if (a > 6) {
      return Math.copySign(1, x);
    }
    if (a > 1) {
      return Math.copySign(1 - erfc(a), x);
    }
    // From the last term inwards, so that the first, largest terms are rounded last.
    double square = x * x;
    double sum = 0;
    for (int n = 30; n >= 0; n--) {
      sum = 1.0 / (2 * n + 1) - square / (n + 1) * sum;
    }
    return TWO_OVER_SQRT_PI * x * sum;
  }

  static double erfc(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    return x > 2 ? erfcTail(x) : x < 0.5 ? 1 - erf(x) : erfcMiddle(x);
  }

  /** Between the series and the fraction: more terms of the fraction, which converges slower. */
  private static double erfcMiddle(double x) {
    return fraction(x, 400);
  }

  private static double erfcTail(double x) {
    return x > 28 ? 0 : fraction(x, 120);
  }

  /** The continued fraction 7.1.14, from the inside out. */
  private static double fraction(double x, int terms) {
    double f = x;
    for (int n = terms; n > 0; n--) {
      f = x + n / 2.0 / f;
    }
    return expOfMinusSquare(x) / (f * SQRT_PI);
  }

  /** exp(-x^2), whose exponent would otherwise carry the square's rounding error. */
  private static double expOfMinusSquare(double x) {
    double square = x * x;
    double low = Math.fma(x, x, -square);
    return Math.exp(-square) * (1 - low);
  }

  /** Solves {@code erf(y) = x} by Halley's method from Winitzki's approximation. */
  static double erfInverse(double x) {
    double a = Math.abs(x);
    if (!(a < 1)) {
      return a == 1 ? Math.copySign(Double.POSITIVE_INFINITY, x) : Double.NaN;
    }
    if (a < 1e-8) {
      return x * SQRT_PI / 2;
    }
    double rest = 1 - a;
    double log = Math.log(rest * (1 + a));
    double b = 2 / (Math.PI * 0.147) + log / 2;
    double y = Math.sqrt(Math.sqrt(b * b - log / 0.147) - b);
    for (int i = 0; i < 4; i++) {
      // For large arguments the complement keeps the digits that 1 - erf loses.
      double error = a > 0.5 ? rest - erfc(y) : erf(y) - a;
      double step = error * SQRT_PI / 2 * Math.exp(y * y);
      y -= step / (1 + y * step);
    }
    return Math.copySign(y, x);
  }

  /** The logarithm of the size of gamma: 6.1.41 after stepping up, 6.1.17 for negative numbers. */
  static double logGamma(double x) {
    if (Double.isNaN(x)) {
      return x;
    }
    if (Double.isInfinite(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (x <= 0 && x == Math.floor(x)) {
      return Double.POSITIVE_INFINITY;
    }
    if (x < 0.5) {
      double fraction = Math.abs(x) - Math.floor(Math.abs(x));
      double sine = Math.sin(Math.PI * Math.min(fraction, 1 - fraction));
      return Math.log(Math.PI / sine) - logGamma(1 - x);
    }
    if (Math.abs(x - 1) < 0.25 || Math.abs(x - 2) < 0.25) {
      double t = x < 1.5 ? x - 1 : x - 2;
      double series = nearOne(t);
      return x < 1.5 ? series : series + Math.log1p(t);
    }
    double shifted = x;
    double product = 1;
    while (shifted < 16) {
      product *= shifted;
      shifted++;
    }
    double inverse = 1 / shifted;
    double square = inverse * inverse;
    double sum = 0;
    double power = inverse;
    for (int k = 0; k < BERNOULLI.length; k++) {
      sum += BERNOULLI[k] / ((2 * k + 2) * (2 * k + 1)) * power;
      power *= square;
    }
    return (shifted - 0.5) * Math.log(shifted)
        - shifted
        + HALF_LOG_TWO_PI
        + sum
        - Math.log(product);
  }

  /** log gamma(1 + t) for small t: 6.1.33, whose zeros at 1 and 2 stay exact. */
  private static double nearOne(double t) {
    double sum = -0.5772156649015329 * t;
    double power = t * t;
    for (int k = 2; Math.abs(power) > 1e-20 && k < 60; k++) {
      double term = zeta(k, 1) * power / k;
      sum += (k & 1) == 0 ? term : -term;
      power *= t;
    }
    return sum;
  }

  /** 6.3.18 after stepping up; 6.3.7 for negative numbers. */
  static double digamma(double x) {
    if (x <= 0 && x == Math.floor(x)) {
      return Double.NaN;
    }
    if (x < 0) {
      return digamma(1 - x) - Math.PI / Math.tan(Math.PI * (x - Math.floor(x)));
    }
    if (Double.isInfinite(x)) {
      return x;
    }
    double shifted = x;
    double sum = 0;
    while (shifted < 16) {
      sum -= 1 / shifted;
      shifted++;
    }
    double inverse = 1 / shifted;
    double square = inverse * inverse;
    sum += Math.log(shifted) - inverse / 2;
    double power = square;
    for (int k = 0; k < BERNOULLI.length; k++) {
      sum -= BERNOULLI[k] / (2 * k + 2) * power;
      power *= square;
    }
    return sum;
  }

  /** The Hurwitz zeta function by the Euler-Maclaurin formula 23.1.30. */
  static double zeta(double s, double q) {
    if (s == 1) {
      return Double.POSITIVE_INFINITY;
    }
    if (s < 1 || q <= 0 && (q != Math.floor(q) && s != Math.floor(s))) {
      return Double.NaN;
    }
    if (q <= 0 && q == Math.floor(q)) {
      return Double.POSITIVE_INFINITY;
    }
    double sum = 0;
    double a = q;
    for (int i = 0; i < 16 || a < 16; i++) {
      sum += Math.pow(a, -s);
      a++;
    }
    double power = Math.pow(a, -s);
    sum += power * a / (s - 1) + power / 2;
    double factor = s * power / a;
    double factorial = 2;
    for (int k = 0; k < BERNOULLI.length; k++) {
      sum += BERNOULLI[k] / factorial * factor;
      factor *= (s + 2 * k + 1) * (s + 2 * k + 2) / (a * a);
      factorial *= (2 * k + 3) * (2 * k + 4);
    }
    return sum;
  }

  /** 6.4.10; order zero is digamma, other orders must be whole. */
  static double polygamma(double order, double x) {
    if (order < 0 || order != Math.floor(order)) {
      return Double.NaN;
    }
    if (order == 0) {
      return digamma(x);
    }
    double value = Math.exp(logGamma(order + 1)) * zeta(order + 1, x);
    return order % 2 == 0 ? -value : value;
  }

  /** {@code exp(-|x|) I1(x)}: 9.6.10 with positive terms only, 9.7.1 for large arguments. */
  static double besselI1Scaled(double x) {
    double a = Math.abs(x);
    double value;
    if (a < 30) {
      double term = a / 2;
      double sum = term;
      double quarter = a * a / 4;
      for (int k = 1; term > sum * 1e-18; k++) {
        term *= quarter / (k * (k + 1.0));
        sum += term;
      }
      value = sum * Math.exp(-a);
    } else {
      double term = 1;
      double sum = 1;
      for (int k = 1; k < 30 && Math.abs(term) > 1e-18; k++) {
        double odd = 2 * k - 1;
        term *= -(4 - odd * odd) / (k * 8 * a);
        sum += term;
      }
      value = sum / Math.sqrt(2 * Math.PI * a);
    }
    return Double.isInfinite(a) ? 0 : Math.copySign(value, x);
  }
}
