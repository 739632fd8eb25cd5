package dev.lockstep.hlo.op.elementwise;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;

/**
 * Conversion between element types: integers wrap, floats are rounded to nearest even, floats to
 * integers are truncated and saturate with NaN giving zero, to i1 says whether a number is not
 * zero, and complex numbers lose their imaginary part on the way to real types and to i1.
 *
 * <p>Source: StableHLO specification "convert"; XLA {@code HloEvaluator} for what it leaves open.
 */
final class Conversion {
  private Conversion() {}

  /** Returns {@code operand} with elements of type {@code to}. */
  static Literal convert(Literal operand, ElementType to) {
    return operand.element() == to ? operand : ElementMap.map(operand, to, step(operand, to));
  }

  private static ElementMap.Step step(Literal operand, ElementType to) {
    ElementType from = operand.element();
    if (to.isBool() && from.isComplex()) {
      return (in, out, i) -> out.setBoolean(i, in.getDouble(i) != 0);
    }
    if (to.isBool()) {
      return (in, out, i) -> out.setBoolean(i, in.getDouble(i) != 0);
    }
    if (from == ElementType.UI64 && !to.isInteger()) {
      return (in, out, i) -> out.setDouble(i, in.getDouble(i));
    }
    if (from.isBool() || from.isInteger()) {
      return (in, out, i) -> out.setLong(i, in.getLong(i));
    }
    if (to.isInteger()) {
      return (in, out, i) -> out.setLong(i, saturated(in.getDouble(i), to));
    }
    if (to.isComplex()) {
      return (in, out, i) -> out.setComplex(i, in.getDouble(i), in.getImaginary(i));
    }
    return (in, out, i) -> out.setDouble(i, in.getDouble(i));
  }

  private static long saturated(double value, ElementType to) {
    if (Double.isNaN(value)) {
      return 0;
    }
    if (to == ElementType.UI64) {
      if (value >= 0x1p63) {
        return value >= 0x1p64 ? -1L : (long) (value - 0x1p63) | Long.MIN_VALUE;
      }
      return value <= 0 ? 0 : (long) value;
    }
    int bits = to.bits();
    long max = to.isUnsigned() ? Integers.mask(bits) : Integers.mask(bits) >>> 1;
    long min = to.isUnsigned() ? 0 : -max - 1;
    return Math.max(min, Math.min(max, (long) value));
  }
}
