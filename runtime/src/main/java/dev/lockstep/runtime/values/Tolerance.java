package dev.lockstep.runtime.values;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import java.util.OptionalInt;

/**
 * How far two numbers may be apart and still be equal: {@code abs(a - b) <= absolute + relative *
 * abs(b)}, b being what is expected.
 *
 * @param relative the part that grows with the expected number
 * @param absolute the part that does not
 */
public record Tolerance(double relative, double absolute) {
  /** Only equal numbers are equal; NaN equals NaN, and -0.0 equals 0.0. */
  public static final Tolerance EXACT = new Tolerance(0, 0);

  /** Returns the tolerance that results of {@code element} get unless a user says otherwise. */
  public static Tolerance defaultFor(ElementType element) {
    return switch (element) {
      case F64, C128 -> new Tolerance(1e-12, 1e-12);
      case F32, C64 -> new Tolerance(1e-5, 1e-6);
      case F16 -> new Tolerance(1e-3, 1e-3);
      case BF16 -> new Tolerance(1e-2, 1e-2);
      // Eight bits and fewer: one step of the coarsest, f8E5M2, is a quarter.
      default -> element.isFloat() ? new Tolerance(0.25, 0.25) : EXACT;
    };
  }

  /** Returns the first element where {@code actual} is not equal to {@code expected}, if any. */
  public OptionalInt firstDifference(Literal expected, Literal actual) {
    if (!expected.type().equals(actual.type())) {
      throw new IllegalArgumentException(expected.type() + " against " + actual.type());
    }
    boolean integers = expected.element().isInteger() || expected.element().isBool();
    for (int i = 0; i < expected.count(); i++) {
      boolean equal =
          integers
              ? expected.sameBits(i, actual, i)
              : close(expected.getDouble(i), actual.getDouble(i))
                  && close(expected.getImaginary(i), actual.getImaginary(i));
      if (!equal) {
        return OptionalInt.of(i);
      }
    }
    return OptionalInt.empty();
  }

  private boolean close(double expected, double actual) {
    if (Double.isNaN(expected) || Double.isNaN(actual)) {
      return Double.isNaN(expected) && Double.isNaN(actual);
    }
    // Infinities are equal only to themselves; their difference is not a number.
    return expected == actual
        || Double.isFinite(expected)
            && Math.abs(actual - expected) <= absolute + relative * Math.abs(expected);
  }
}
