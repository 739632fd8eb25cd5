package dev.lockstep.hlo.op.elementwise;

/**
 * Functions of complex numbers, computed in double on both parts.
 *
 * <p>Sources: Kahan, "Branch cuts for complex elementary functions" (1987), for the cuts, signed
 * zeros and the forms that do not cancel; C99 Annex G for infinities.
 */
final class Complexes {
  private Complexes() {}

  static void multiply(double a, double b, double c, double d, double[] out) {
    out[0] = a * c - b * d;
    out[1] = a * d + b * c;
  }

  /** Scales by the size of the divisor, so that its square neither overflows nor vanishes. */
  static void divide(double a, double b, double c, double d, double[] out) {
    double size = Math.max(Math.abs(c), Math.abs(d));
    if (Double.isInfinite(size) && Double.isFinite(a) && Double.isFinite(b)) {
      double c1 = Math.copySign(Double.isInfinite(c) ? 1 : 0, c);
      double d1 = Math.copySign(Double.isInfinite(d) ? 1 : 0, d);
      out[0] = 0 * (a * c1 + b * d1);
      out[1] = 0 * (b * c1 - a * d1);
      return;
    }
    if (size == 0 && !(Double.isNaN(a) && Double.isNaN(b))) {
      double infinity = Math.copySign(Double.POSITIVE_INFINITY, c);
      out[0] = infinity * a;
      out[1] = infinity * b;
      return;
    }
    if (Double.isFinite(size) && (Double.isInfinite(a) || Double.isInfinite(b))) {
      double a1 = Math.copySign(Double.isInfinite(a) ? 1 : 0, a);
      double b1 = Math.copySign(Double.isInfinite(b) ? 1 : 0, b);
      out[0] = Double.POSITIVE_INFINITY * (a1 * c + b1 * d);
      out[1] = Double.POSITIVE_INFINITY * (b1 * c - a1 * d);
      return;
    }
    int scale = size == 0 || Double.isNaN(size) ? 0 : -Math.getExponent(size);
    double x = Math.scalb(c, scale);
    double y = Math.scalb(d, scale);
    double norm = x * x + y * y;
    out[0] = Math.scalb((a * x + b * y) / norm, scale);
    out[1] = Math.scalb((b * x - a * y) / norm, scale);
  }

  static void sqrt(double x, double y, double[] out) {
    if (x == 0 && y == 0) {
      set(out, 0, y);
      return;
    }
    if (Double.isInfinite(y)) {
      set(out, Double.POSITIVE_INFINITY, y);
      return;
    }
    if (Double.isInfinite(x)) {
      double rest = Double.isNaN(y) ? y : 0;
      if (x > 0) {
        set(out, x, Double.isNaN(y) ? y : Math.copySign(0, y));
      } else {
        set(out, rest, Math.copySign(Double.POSITIVE_INFINITY, y));
      }
      return;
    }
    // Powers of four bring the numbers near to one: their root is exact, squares stay in range.
    int exponent = Math.getExponent(Math.max(Math.abs(x), Math.abs(y))) & ~1;
    double a = Math.scalb(x, -exponent);
    double b = Math.scalb(y, -exponent);
    double larger = Math.scalb(Math.sqrt((Math.abs(a) + Math.hypot(a, b)) / 2), exponent / 2);
    // From the unscaled part: scaled, it may have vanished beside the other.
    double smaller = y / (2 * larger);
    if (x >= 0) {
      set(out, larger, smaller);
    } else {
      set(out, Math.abs(smaller), Math.copySign(larger, y));
    }
  }

  static void reciprocalSqrt(double x, double y, double[] out) {
    double size = Math.hypot(x, y);
    if (Double.isInfinite(size)) {
      set(out, 0, Math.copySign(0, -y));
      return;
    }
    sqrt(x, y, out);
    if (size == 0) {
      set(out, Double.POSITIVE_INFINITY, Double.NaN);
      return;
    }
    set(out, out[0] / size, -out[1] / size);
  }

  /** As XLA has it: an infinite imaginary part gives NaN even where e^x is zero. */
  static void exp(double x, double y, double[] out) {
    if (y == 0) {
      set(out, Math.exp(x), y);
    } else {
      scaledPolar(x, y, out);
    }
  }

  /** Gives {@code e^x (cos y, sin y)} also where only {@code e^x} overflows. */
  private static void scaledPolar(double x, double y, double[] out) {
    double half = x > 700 ? Math.exp(x / 2) : 1;
    double rest = x > 700 ? half : Math.exp(x);
    set(out, half * Math.cos(y) * rest, half * Math.sin(y) * rest);
  }

  static void expMinusOne(double x, double y, double[] out) {
    if (y == 0) {
      set(out, Math.expm1(x), y);
      return;
    }
    double halfSine = Math.sin(y / 2);
    double real = Math.expm1(x) * Math.cos(y) - 2 * halfSine * halfSine;
    exp(x, y, out);
    out[0] = Double.isFinite(real) ? real : out[0] - 1;
  }

  static void log(double x, double y, double[] out) {
    double a = Math.max(Math.abs(x), Math.abs(y));
    double b = Math.min(Math.abs(x), Math.abs(y));
    double real;
    if (a > 0.5 && a < 3) {
      // Near the unit circle the logarithm of the size would lose all digits.
      real = Math.log1p(TwoDoubles.sizeLessOne(a - 1, b)) / 2;
    } else {
      real = logSize(x, y);
    }
    set(out, real, Math.atan2(y, x));
  }

  /** The logarithm of the size, also where the size itself overflows or loses digits. */
  static double logSize(double x, double y) {
    double larger = Math.max(Math.abs(x), Math.abs(y));
    if (larger == 0 || !Double.isFinite(larger) || Math.abs(Math.getExponent(larger)) < 500) {
      return Math.log(Math.hypot(x, y));
    }
    int scale = larger < 1 ? 600 : -600;
    double size = Math.hypot(x * Math.scalb(1.0, scale), y * Math.scalb(1.0, scale));
    return Math.log(size) - scale * Math.log(2);
  }

  static void logPlusOne(double x, double y, double[] out) {
    double angle = Math.atan2(y, x + 1);
    double real;
    if (Math.abs(x) < 0x1p500 && Math.abs(y) < 0x1p500) {
      real = Math.log1p(TwoDoubles.sizeLessOne(x, y)) / 2;
    } else {
      log(x, y, out);
      real = out[0];
    }
    set(out, real, angle);
  }

  static void sin(double x, double y, double[] out) {
    sinh(-y, x, out);
    set(out, out[1], -out[0]);
  }

  static void cos(double x, double y, double[] out) {
    cosh(-y, x, out);
  }

  static void sinh(double x, double y, double[] out) {
    if (Math.abs(x) > 700) {
      scaledPolar(Math.abs(x) - Math.log(2), y, out);
      set(out, Math.copySign(1, x) * out[0], out[1]);
    } else {
      set(out, Math.sinh(x) * Math.cos(y), y == 0 ? y : Math.cosh(x) * Math.sin(y));
    }
  }

  static void cosh(double x, double y, double[] out) {
    if (Math.abs(x) > 700) {
      scaledPolar(Math.abs(x) - Math.log(2), y, out);
      set(out, out[0], Math.copySign(1, x) * out[1]);
    } else {
      double imaginary = Math.sinh(x) * Math.sin(y);
      set(out, Math.cosh(x) * Math.cos(y), x == 0 || y == 0 ? x * y : imaginary);
    }
  }

  static void tanh(double x, double y, double[] out) {
    if (Math.abs(x) > 20) {
      double small = 4 * Math.sin(y) * Math.cos(y) * Math.exp(-2 * Math.abs(x));
      set(out, Math.copySign(1, x), Double.isFinite(y) ? small : Math.copySign(0, y));
      return;
    }
    double t = Math.tan(y);
    double beta = 1 + t * t;
    double s = Math.sinh(x);
    double rho = Math.sqrt(1 + s * s);
    if (Double.isInfinite(t)) {
      set(out, rho / s, 1 / t);
      return;
    }
    double norm = 1 + beta * s * s;
    set(out, beta * rho * s / norm, t / norm);
  }

  static void tan(double x, double y, double[] out) {
    tanh(-y, x, out);
    set(out, out[1], -out[0]);
  }

  static void logistic(double x, double y, double[] out) {
    exp(-x, -y, out);
    divide(1, 0, 1 + out[0], out[1], out);
  }

  static void power(double a, double b, double c, double d, double[] out) {
    if (a == 0 && b == 0) {
      boolean one = c == 0 && d == 0;
      set(out, one ? 1 : c > 0 ? 0 : Double.NaN, one || c > 0 ? 0 : Double.NaN);
      return;
    }
    log(a, b, out);
    double real = out[0] * c - out[1] * d;
    double imaginary = out[0] * d + out[1] * c;
    exp(real, imaginary, out);
  }

  static void cbrt(double x, double y, double[] out) {
    double size = Math.cbrt(Math.hypot(x, y));
    double angle = Math.atan2(y, x) / 3;
    set(out, size * Math.cos(angle), size * Math.sin(angle));
  }

  /** The larger in the order of real parts, then imaginary parts. */
  static void maximum(double a, double b, double c, double d, double[] out) {
    if (a > c || a == c && b > d) {
      set(out, a, b);
    } else {
      set(out, c, d);
    }
  }

  /** The smaller in the order of real parts, then imaginary parts. */
  static void minimum(double a, double b, double c, double d, double[] out) {
    if (a < c || a == c && b < d) {
      set(out, a, b);
    } else {
      set(out, c, d);
    }
  }

  static void square(double x, double y, double[] out) {
    boolean equal = Math.abs(x) == Math.abs(y) && Double.isFinite(x);
    set(out, equal ? 0 : (x - y) * (x + y), 2 * (x * y));
  }

  static void sign(double x, double y, double[] out) {
    double size = Math.hypot(x, y);
    if (size == 0) {
      set(out, 0, 0);
    } else {
      set(out, x / size, y / size);
    }
  }

  /** Gives {@code -i log((x + i y) / sqrt(x^2 + y^2))} for {@code y = a + ib, x = c + id}. */
  static void atan2(double a, double b, double c, double d, double[] out) {
    double re = c - b;
    double im = d + a;
    sqrt(c * c - d * d + a * a - b * b, 2 * (c * d + a * b), out);
    divide(re, im, out[0], out[1], out);
    log(out[0], out[1], out);
    set(out, out[1], -out[0]);
  }

  private static void set(double[] out, double real, double imaginary) {
    out[0] = real;
    out[1] = imaginary;
  }
}
