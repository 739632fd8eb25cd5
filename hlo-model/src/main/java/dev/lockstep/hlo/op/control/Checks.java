package dev.lockstep.hlo.op.control;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.ir.Operation;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;

/**
 * The comparisons of the {@code check} ops and custom calls.
 *
 * <p>Source: StableHLO {@code stablehlo/reference/Element.cpp} and {@code tests/CheckOps.cpp}, as
 * behaviour: equality by value (NaN never, -0 equals 0), closeness by an absolute bound, distance
 * in representable numbers.
 */
final class Checks {
  /** Diagnostic code of a comparison that fails. */
  static final String FAILED = "check-failed";

  /** The bound of {@code check.expect_almost_eq} when no tolerance is given. */
  static final double OP_TOLERANCE = 1e-4;

  /** The bound of custom calls of {@code check.expect_almost_eq}. */
  static final double CALL_TOLERANCE = 1e-3;

  /** The largest distance of custom calls of {@code check.expect_close}. */
  static final long CALL_ULPS = 3;

  private interface Elements {
    boolean equal(Literal a, Literal b, int i);
  }

  private Checks() {}

  /** Fails unless all elements are equal by value. */
  static ImmutableList<Datum> equal(Operation operation, Literal actual, Literal expected) {
    return all(operation, actual, expected, "", Checks::sameValue);
  }

  /** Fails unless all elements are at most {@code tolerance} apart. */
  static ImmutableList<Datum> almostEqual(
      Operation operation, Literal actual, Literal expected, double tolerance) {
    return all(
        operation,
        actual,
        expected,
        " within " + tolerance,
        (a, b, i) -> almostSame(a, b, i, tolerance));
  }

  /**
   * Fails unless all elements are from {@code least} to {@code most} representable numbers apart.
   */
  static ImmutableList<Datum> close(
      Operation operation, Literal actual, Literal expected, long least, long most) {
    return all(
        operation,
        actual,
        expected,
        " within " + least + " to " + most + " representable numbers",
        (a, b, i) -> {
          boolean complex = a.element().isComplex();
          long real = distance(part(a), a.getDouble(i), b.getDouble(i), a, b, i);
          long imaginary =
              complex ? distance(part(a), a.getImaginary(i), b.getImaginary(i), a, b, i) : real;
          return real >= least && real <= most && imaginary >= least && imaginary <= most;
        });
  }

  /** Returns whether integers are equal and other elements at most 1e-4 apart. */
  static ImmutableList<Datum> isEqual(Literal a, Literal b) {
    boolean all = true;
    for (int i = 0; i < a.count(); i++) {
      all &=
          a.element().isFloat() || a.element().isComplex()
              ? almostSame(a, b, i, OP_TOLERANCE)
              : sameValue(a, b, i);
    }
    return ImmutableList.of(Literal.scalar(ElementType.I1, all ? 1L : 0L));
  }

  private static ElementType part(Literal literal) {
    return literal.element().realPart();
  }

  private static ImmutableList<Datum> all(
      Operation operation, Literal actual, Literal expected, String how, Elements elements) {
    if (!actual.type().equals(expected.type())) {
      throw DiagnosticException.error(
          FAILED, "got " + actual.type() + ", want " + expected.type(), operation.location());
    }
    for (int i = 0; i < actual.count(); i++) {
      if (!elements.equal(actual, expected, i)) {
        throw DiagnosticException.error(
            FAILED,
            String.format(
                "element %d of %s is %s, must be %s%s",
                i, actual.type(), element(actual, i), element(expected, i), how),
            operation.location());
      }
    }
    return ImmutableList.of();
  }

  private static String element(Literal literal, int i) {
    if (literal.element().isComplex()) {
      return "(" + literal.getDouble(i) + ", " + literal.getImaginary(i) + ")";
    }
    return literal.element().isFloat()
        ? Double.toString(literal.getDouble(i))
        : Long.toString(literal.getLong(i));
  }

  private static boolean sameValue(Literal a, Literal b, int i) {
    return a.element().isFloat() || a.element().isComplex()
        ? a.getDouble(i) == b.getDouble(i) && a.getImaginary(i) == b.getImaginary(i)
        : a.getLong(i) == b.getLong(i);
  }

  private static boolean almostSame(Literal a, Literal b, int i, double tolerance) {
    if (!a.element().isFloat() && !a.element().isComplex()) {
      return sameValue(a, b, i);
    }
    return near(a.getDouble(i), b.getDouble(i), tolerance)
        && near(a.getImaginary(i), b.getImaginary(i), tolerance);
  }

  private static boolean near(double a, double b, double tolerance) {
    return a == b
        || Double.isNaN(a) && Double.isNaN(b)
        || Double.isFinite(a) && Double.isFinite(b) && Math.abs(a - b) <= tolerance;
  }

  /** Returns how many representable numbers lie between, many when only one is finite. */
  private static long distance(
      ElementType element, double a, double b, Literal left, Literal right, int i) {
    if (!element.isFloat()) {
      return Math.abs(left.getLong(i) - right.getLong(i));
    }
    if (a == b || Double.isNaN(a) && Double.isNaN(b)) {
      return 0;
    }
    if (!Double.isFinite(a) || !Double.isFinite(b)) {
      return Long.MAX_VALUE;
    }
    Literal x = Literal.scalar(element, a);
    Literal y = Literal.scalar(element, b);
    long sign = 1L << (element.bits() - 1);
    long below = magnitude(x.getBits(0), sign);
    long above = magnitude(y.getBits(0), sign);
    boolean crosses = (x.getBits(0) & sign) != (y.getBits(0) & sign);
    return crosses ? below + above : Math.abs(below - above);
  }

  private static long magnitude(long bits, long sign) {
    return bits & (sign - 1);
  }
}
