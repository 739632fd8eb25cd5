package dev.lockstep.hlo.op.kernel;

import dev.lockstep.hlo.literal.FloatFormat;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/**
 * Elements in few forms, so that kernels come in few kinds: doubles for all floats, pairs of
 * doubles for complex types, longs for integers and i1 (ui64 as its bits).
 */
public final class Wide {
  private Wide() {}

  /** Returns the elements of a float literal. */
  public static double[] doubles(Literal literal) {
    int n = literal.count();
    double[] out = new double[n];
    if (literal.element() == ElementType.F32) {
      float[] from = (float[]) literal.storage();
      for (int i = 0; i < n; i++) {
        out[i] = from[i];
      }
    } else if (literal.element() == ElementType.F64) {
      System.arraycopy((double[]) literal.storage(), 0, out, 0, n);
    } else if (literal.element() == ElementType.BF16) {
      short[] from = (short[]) literal.storage();
      for (int i = 0; i < n; i++) {
        out[i] = Float.intBitsToFloat(from[i] << 16);
      }
    } else {
      for (int i = 0; i < n; i++) {
        out[i] = literal.getDouble(i);
      }
    }
    return out;
  }

  /** Returns the elements of a complex literal, real and imaginary parts in turn. */
  public static double[] pairs(Literal literal) {
    int n = literal.count();
    double[] out = new double[2 * n];
    for (int i = 0; i < n; i++) {
      out[2 * i] = literal.getDouble(i);
      out[2 * i + 1] = literal.getImaginary(i);
    }
    return out;
  }

  /** Returns the elements of an integer or i1 literal. */
  public static long[] longs(Literal literal) {
    return literal.toLongs();
  }

  /** Returns a float literal with {@code values} rounded to its type. */
  public static Literal ofDoubles(TensorType type, double[] values) {
    LiteralBuilder out = new LiteralBuilder(type);
    if (type.element() == ElementType.F32) {
      float[] to = (float[]) out.storage();
      for (int i = 0; i < to.length; i++) {
        to[i] = (float) values[i];
      }
    } else if (type.element() == ElementType.BF16) {
      short[] to = (short[]) out.storage();
      for (int i = 0; i < to.length; i++) {
        to[i] = (short) FloatFormat.bfloat16(values[i]);
      }
    } else {
      for (int i = 0; i < values.length; i++) {
        out.setDouble(i, values[i]);
      }
    }
    return out.build();
  }

  /** Returns a complex literal of real and imaginary parts in turn. */
  public static Literal ofPairs(TensorType type, double[] values) {
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; 2 * i < values.length; i++) {
      out.setComplex(i, values[2 * i], values[2 * i + 1]);
    }
    return out.build();
  }

  /** Returns a float literal of the real parts of pairs. */
  public static Literal ofReals(TensorType type, double[] pairs) {
    double[] values = new double[pairs.length / 2];
    for (int i = 0; i < values.length; i++) {
      values[i] = pairs[2 * i];
    }
    return ofDoubles(type, values);
  }

  /** Returns an integer or i1 literal with {@code values} wrapped to its type. */
  public static Literal ofLongs(TensorType type, long[] values) {
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < values.length; i++) {
      out.setLong(i, values[i]);
    }
    return out.build();
  }

  /** Returns {@code value} as an integer type or i1 holds it. */
  public static long wrap(ElementType element, long value) {
    if (element == ElementType.I1) {
      return value != 0 ? 1 : 0;
    }
    int unused = 64 - element.bits();
    return element.isUnsigned() ? value << unused >>> unused : value << unused >> unused;
  }

  /** Returns {@code value} rounded to a float type, or to the parts of a complex one. */
  public static double round(ElementType element, double value) {
    return switch (element.realPart()) {
      case F64 -> value;
      case F32 -> (float) value;
      default -> {
        FloatFormat format = FloatFormat.of(element);
        yield format.toDouble(format.fromDouble(value));
      }
    };
  }

  /** Returns {@code literal} with its elements converted as stablehlo.convert does for widening. */
  public static Literal cast(Literal literal, ElementType element) {
    if (literal.element() == element) {
      return literal;
    }
    TensorType type = literal.type().withElement(element);
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < literal.count(); i++) {
      if (literal.element().isComplex() && element.isComplex()) {
        out.setComplex(i, literal.getDouble(i), literal.getImaginary(i));
      } else if (literal.element().isFloat() || literal.element().isComplex()) {
        out.setDouble(i, literal.getDouble(i));
      } else {
        out.setLong(i, literal.getLong(i));
      }
    }
    return out.build();
  }

  /** Returns element {@code i} as a scalar. */
  public static Literal scalarAt(Literal literal, int i) {
    LiteralBuilder out = new LiteralBuilder(TensorType.of(literal.element()));
    out.copy(0, literal, i);
    return out.build();
  }
}
