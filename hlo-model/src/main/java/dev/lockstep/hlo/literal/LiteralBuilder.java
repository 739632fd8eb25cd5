package dev.lockstep.hlo.literal;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.base.Preconditions.checkState;

import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;

/** Fills a literal element by element; it starts with zeros. Used once. */
public final class LiteralBuilder {
  private final TensorType type;
  private final ElementType element;
  private final Object storage;
  private boolean built;

  /** Creates a builder for a static {@code type}. */
  public LiteralBuilder(TensorType type) {
    long count = type.count();
    checkArgument(count <= Integer.MAX_VALUE, "%s has too many elements", type);
    this.type = type;
    this.element = type.element();
    this.storage = Literal.newStorage(element, (int) count);
  }

  /** Returns the type being filled. */
  public TensorType type() {
    return type;
  }

  /** Returns the storage being filled, laid out as {@link Literal} says. */
  public Object storage() {
    return storage;
  }

  /** Sets element {@code i} to {@code value}, wrapped to an integer type or rounded to a float. */
  public void setLong(int i, long value) {
    switch (element) {
      case I1 -> ((byte[]) storage)[i] = (byte) (value != 0 ? 1 : 0);
      case I2 -> ((byte[]) storage)[i] = (byte) ((byte) (value << 6) >> 6);
      case I4 -> ((byte[]) storage)[i] = (byte) ((byte) (value << 4) >> 4);
      case UI2 -> ((byte[]) storage)[i] = (byte) (value & 3);
      case UI4 -> ((byte[]) storage)[i] = (byte) (value & 15);
      case I8, UI8 -> ((byte[]) storage)[i] = (byte) value;
      case I16, UI16 -> ((short[]) storage)[i] = (short) value;
      case I32, UI32 -> ((int[]) storage)[i] = (int) value;
      case I64, UI64 -> ((long[]) storage)[i] = value;
      case F32 -> ((float[]) storage)[i] = value;
      default -> setDouble(i, (double) value);
    }
  }

  /**
   * Sets element {@code i} to {@code value}: rounded to nearest even for floats, the real part for
   * complex types (imaginary part zero), truncated and saturated to 64 bits for integers.
   */
  public void setDouble(int i, double value) {
    switch (element) {
      case F32 -> ((float[]) storage)[i] = (float) value;
      case F64 -> ((double[]) storage)[i] = value;
      case C64, C128 -> setComplex(i, value, 0);
      case BF16 -> ((short[]) storage)[i] = (short) FloatFormat.bfloat16(value);
      case F16 -> ((short[]) storage)[i] = (short) FloatFormat.F16.fromDouble(value);
      case I1, I2, I4, I8, I16, I32, I64, UI2, UI4, UI8, UI16, UI32 -> setLong(i, (long) value);
      case UI64 -> ((long[]) storage)[i] = doubleToUnsigned(value);
      default -> ((byte[]) storage)[i] = (byte) FloatFormat.of(element).fromDouble(value);
    }
  }

  /** Sets element {@code i} of a complex type. */
  public void setComplex(int i, double real, double imaginary) {
    if (element == ElementType.C64) {
      ((float[]) storage)[2 * i] = (float) real;
      ((float[]) storage)[2 * i + 1] = (float) imaginary;
    } else {
      ((double[]) storage)[2 * i] = real;
      ((double[]) storage)[2 * i + 1] = imaginary;
    }
  }

  /** Sets element {@code i} of i1. */
  public void setBoolean(int i, boolean value) {
    setLong(i, value ? 1 : 0);
  }

  /** Sets the raw bits of element {@code i}; the inverse of {@link Literal#getBits}. */
  public void setBits(int i, long bits) {
    switch (element) {
      case F32 -> ((float[]) storage)[i] = Float.intBitsToFloat((int) bits);
      case F64 -> ((double[]) storage)[i] = Double.longBitsToDouble(bits);
      case C64 -> {
        ((float[]) storage)[2 * i] = Float.intBitsToFloat((int) bits);
        ((float[]) storage)[2 * i + 1] = Float.intBitsToFloat((int) (bits >>> 32));
      }
      case C128 -> throw new IllegalArgumentException("complex<f64> has more than 64 bits");
      case F16, BF16 -> ((short[]) storage)[i] = (short) bits;
      default -> {
        if (element.isFloat()) {
          ((byte[]) storage)[i] = (byte) (bits & ((1L << element.bits()) - 1));
        } else {
          // i1 keeps its lowest bit, where setLong asks for any.
          setLong(i, element == ElementType.I1 ? bits & 1 : bits);
        }
      }
    }
  }

  /** Copies element {@code j} of {@code from}, which has the same element type, bit for bit. */
  public void copy(int i, Literal from, int j) {
    int at = from.isSplat() ? 0 : j;
    Object source = from.rawStorage();
    switch (element) {
      case I16, UI16, F16, BF16 -> ((short[]) storage)[i] = ((short[]) source)[at];
      case I32, UI32 -> ((int[]) storage)[i] = ((int[]) source)[at];
      case I64, UI64 -> ((long[]) storage)[i] = ((long[]) source)[at];
      case F32 -> ((float[]) storage)[i] = ((float[]) source)[at];
      case F64 -> ((double[]) storage)[i] = ((double[]) source)[at];
      case C64 -> {
        ((float[]) storage)[2 * i] = ((float[]) source)[2 * at];
        ((float[]) storage)[2 * i + 1] = ((float[]) source)[2 * at + 1];
      }
      case C128 -> {
        ((double[]) storage)[2 * i] = ((double[]) source)[2 * at];
        ((double[]) storage)[2 * i + 1] = ((double[]) source)[2 * at + 1];
      }
      default -> ((byte[]) storage)[i] = ((byte[]) source)[at];
    }
  }

  /** Copies {@code length} elements of {@code from}, starting at {@code j}, to {@code i} on. */
  public void copyRange(int i, Literal from, int j, int length) {
    if (from.isSplat()) {
      for (int k = 0; k < length; k++) {
        copy(i + k, from, 0);
      }
      return;
    }
    int width = element.isComplex() ? 2 : 1;
    System.arraycopy(from.rawStorage(), j * width, storage, i * width, length * width);
  }

  /** Returns the literal; the builder must not be used afterwards. */
  public Literal build() {
    checkState(!built, "a literal is built once");
    built = true;
    return Literal.of(type, storage);
  }

  private static long doubleToUnsigned(double value) {
    if (!(value > 0)) {
      return (long) value;
    }
    if (value < 0x1p63) {
      return (long) value;
    }
    return value >= 0x1p64 ? -1L : (long) (value - 0x1p63) | Long.MIN_VALUE;
  }
}
