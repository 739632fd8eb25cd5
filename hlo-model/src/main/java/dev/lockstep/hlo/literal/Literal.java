package dev.lockstep.hlo.literal;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * The value of a tensor: a static type and its elements in row-major order. Immutable by contract:
 * whoever hands over a storage array gives it up, and whoever borrows one only reads.
 *
 * <p>Storage by element type: {@code byte[]} for everything of at most 8 bits (one element a byte),
 * {@code short[]} for 16 bits (f16 and bf16 as bits), {@code int[]}, {@code long[]}, {@code
 * float[]}, {@code double[]}, and {@code float[]} or {@code double[]} with alternating real and
 * imaginary parts for complex types. A splat stores its element once.
 */
public final class Literal implements Datum {
  private final TensorType type;
  private final Object storage;
  private final boolean splat;
  private final int count;

  private Literal(TensorType type, Object storage, boolean splat) {
    this.type = type;
    this.storage = storage;
    this.splat = splat;
    long elements = type.count();
    checkArgument(elements <= Integer.MAX_VALUE, "%s has too many elements", type);
    this.count = (int) elements;
    int expected = (splat ? 1 : count) * (type.element().isComplex() ? 2 : 1);
    checkArgument(
        java.lang.reflect.Array.getLength(storage) == expected,
        "%s needs %s stored numbers",
        type,
        expected);
  }

  /** Returns a literal over {@code storage}, which the caller gives up. */
  public static Literal of(TensorType type, Object storage) {
    return new Literal(plain(type), storage, false);
  }

  /** Returns a literal all of whose elements are the one in {@code storage}. */
  public static Literal splat(TensorType type, Object storage) {
    return new Literal(plain(type), storage, true);
  }

  /** Returns a literal full of zeros, false, or the value nearest to zero for f8E8M0FNU. */
  public static Literal zeros(TensorType type) {
    return splat(type, newStorage(type.element(), 1));
  }

  /** Returns a rank-0 literal holding {@code value}, wrapped to the width of {@code element}. */
  public static Literal scalar(ElementType element, long value) {
    return splatOf(TensorType.of(element), value);
  }

  /** Returns a rank-0 literal holding {@code value}, rounded to {@code element}. */
  public static Literal scalar(ElementType element, double value) {
    return splatOf(TensorType.of(element), value);
  }

  /** Returns a literal all of whose elements are {@code value}, wrapped to the element's width. */
  public static Literal splatOf(TensorType type, long value) {
    LiteralBuilder one = new LiteralBuilder(TensorType.of(type.element()));
    one.setLong(0, value);
    return splat(type, one.build().storage);
  }

  /** Returns a literal all of whose elements are {@code value}, rounded to the element type. */
  public static Literal splatOf(TensorType type, double value) {
    LiteralBuilder one = new LiteralBuilder(TensorType.of(type.element()));
    one.setDouble(0, value);
    return splat(type, one.build().storage);
  }

  /** Returns a rank-1 i64 literal. */
  public static Literal ofLongs(long... values) {
    return of(TensorType.of(ElementType.I64, values.length), values.clone());
  }

  /** Returns new zeroed storage for {@code count} elements. */
  public static Object newStorage(ElementType element, int count) {
    return switch (element) {
      case I16, UI16, F16, BF16 -> new short[count];
      case I32, UI32 -> new int[count];
      case I64, UI64 -> new long[count];
      case F32 -> new float[count];
      case F64 -> new double[count];
      case C64 -> new float[Math.multiplyExact(count, 2)];
      case C128 -> new double[Math.multiplyExact(count, 2)];
      default -> new byte[count];
    };
  }

  private static TensorType plain(TensorType type) {
    return type.layout() == null && type.bounds() == null && type.encoding() == null
        ? type
        : TensorType.of(type.element(), type.dims());
  }

  /** Returns the type, without layout, bounds or encoding. */
  public TensorType type() {
    return type;
  }

  /** Returns the element type. */
  public ElementType element() {
    return type.element();
  }

  /** Returns the sizes. */
  public ImmutableLongArray dims() {
    return type.dims();
  }

  /** Returns the number of elements. */
  public int count() {
    return count;
  }

  /** Returns element {@code i} for messages, as programs write it. */
  public String elementText(int i) {
    ElementType element = type.element();
    if (element.isBool()) {
      return Boolean.toString(getBoolean(i));
    }
    if (element.isInteger()) {
      return element.isUnsigned() ? Long.toUnsignedString(getLong(i)) : Long.toString(getLong(i));
    }
    return element.isComplex()
        ? "(" + getDouble(i) + ", " + getImaginary(i) + ")"
        : Double.toString(getDouble(i));
  }

  /** Returns whether one stored element stands for all. */
  public boolean isSplat() {
    return splat;
  }

  /** Returns the storage itself, to be read only; one element when {@link #isSplat}. */
  public Object storage() {
    return splat && count != 1 ? dense().storage : storage;
  }

  /** Returns the storage itself, one element when {@link #isSplat}; to be read only. */
  public Object rawStorage() {
    return storage;
  }

  /** Returns an equal literal that stores every element. */
  public Literal dense() {
    if (!splat || count == 1) {
      return splat ? new Literal(type, storage, false) : this;
    }
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < count; i++) {
      out.copy(i, this, 0);
    }
    return out.build();
  }

  /** Returns the same elements under another shape of the same count and element type. */
  public Literal reshaped(TensorType newType) {
    checkArgument(
        newType.element() == type.element() && newType.count() == count,
        "cannot reshape %s to %s",
        type,
        newType);
    return new Literal(plain(newType), storage, splat);
  }

  /**
   * Returns element {@code i} as an integer: sign-extended for signed types, zero-extended for
   * unsigned ones (ui64 as its bits), 0 or 1 for i1, truncated towards zero for floats, and the
   * real part for complex types.
   */
  public long getLong(int i) {
    int at = splat ? 0 : i;
    ElementType element = type.element();
    return switch (element) {
      case I1, I2, I4, I8 -> ((byte[]) storage)[at];
      case UI2, UI4, UI8 -> ((byte[]) storage)[at] & 0xFF;
      case I16 -> ((short[]) storage)[at];
      case UI16 -> ((short[]) storage)[at] & 0xFFFF;
      case I32 -> ((int[]) storage)[at];
      case UI32 -> ((int[]) storage)[at] & 0xFFFFFFFFL;
      case I64, UI64 -> ((long[]) storage)[at];
      default -> (long) getDouble(i);
    };
  }

  /** Returns element {@code i} as a double; the real part for complex types. */
  public double getDouble(int i) {
    int at = splat ? 0 : i;
    ElementType element = type.element();
    return switch (element) {
      case F32 -> ((float[]) storage)[at];
      case F64 -> ((double[]) storage)[at];
      case C64 -> ((float[]) storage)[2 * at];
      case C128 -> ((double[]) storage)[2 * at];
      case BF16 -> Float.intBitsToFloat(((short[]) storage)[at] << 16);
      case F16 -> FloatFormat.F16.toDouble(((short[]) storage)[at] & 0xFFFF);
      case UI64 -> unsignedToDouble(((long[]) storage)[at]);
      case I1, I2, I4, I8, I16, I32, I64, UI2, UI4, UI8, UI16, UI32 -> getLong(i);
      default -> FloatFormat.of(element).toDouble(((byte[]) storage)[at] & 0xFF);
    };
  }

  /** Returns the imaginary part of element {@code i}; zero for types that are not complex. */
  public double getImaginary(int i) {
    int at = splat ? 0 : i;
    return switch (type.element()) {
      case C64 -> ((float[]) storage)[2 * at + 1];
      case C128 -> ((double[]) storage)[2 * at + 1];
      default -> 0;
    };
  }

  /** Returns whether element {@code i} is not zero. */
  public boolean getBoolean(int i) {
    return type.element().isFloat() || type.element().isComplex()
        ? getDouble(i) != 0 || getImaginary(i) != 0
        : getLong(i) != 0;
  }

  /**
   * Returns the raw bits of element {@code i} in the low bits; not for c128, and c64 has the real
   * part in its low half.
   */
  public long getBits(int i) {
    int at = splat ? 0 : i;
    ElementType element = type.element();
    return switch (element) {
      case I16, UI16, F16, BF16 -> ((short[]) storage)[at] & 0xFFFF;
      case I32, UI32 -> ((int[]) storage)[at] & 0xFFFFFFFFL;
      case I64, UI64 -> ((long[]) storage)[at];
      case F32 -> Float.floatToRawIntBits(((float[]) storage)[at]) & 0xFFFFFFFFL;
      case F64 -> Double.doubleToRawLongBits(((double[]) storage)[at]);
      case C64 ->
          (Float.floatToRawIntBits(((float[]) storage)[2 * at]) & 0xFFFFFFFFL)
              | ((long) Float.floatToRawIntBits(((float[]) storage)[2 * at + 1]) << 32);
      case C128 -> throw new IllegalArgumentException("complex<f64> has more than 64 bits");
      default -> ((byte[]) storage)[at] & ((1L << element.bits()) - 1);
    };
  }

  private static double unsignedToDouble(long bits) {
    if (bits >= 0) {
      return bits;
    }
    // Halving with the lost bit kept sticky rounds as a direct conversion would.
    return ((bits >>> 1) | (bits & 1)) * 2.0;
  }

  /** Returns the elements of an integer literal. */
  public long[] toLongs() {
    long[] out = new long[count];
    for (int i = 0; i < count; i++) {
      out[i] = getLong(i);
    }
    return out;
  }

  /**
   * Returns whether both have the same shape and the same bits everywhere; NaNs are equal when
   * their bits are, and -0.0 differs from 0.0.
   */
  @Override
  public boolean equals(@Nullable Object object) {
    if (this == object) {
      return true;
    }
    if (!(object instanceof Literal)) {
      return false;
    }
    Literal other = (Literal) object;
    if (!type.equals(other.type)) {
      return false;
    }
    int n = splat && other.splat ? Math.min(1, count) : count;
    for (int i = 0; i < n; i++) {
      if (!sameBits(i, other, i)) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether element {@code i} here and {@code j} there have the same bits. */
  public boolean sameBits(int i, Literal other, int j) {
    if (type.element() == ElementType.C128) {
      return Double.doubleToRawLongBits(getDouble(i))
              == Double.doubleToRawLongBits(other.getDouble(j))
          && Double.doubleToRawLongBits(getImaginary(i))
              == Double.doubleToRawLongBits(other.getImaginary(j));
    }
    return getBits(i) == other.getBits(j);
  }

  @Override
  public int hashCode() {
    int hash = type.hashCode();
    for (int i = 0; i < Math.min(count, 16); i++) {
      hash = hash * 31 + Double.hashCode(getDouble(i));
    }
    return hash;
  }

  /** Returns the type and the first elements, for messages and debuggers. */
  @Override
  public String toString() {
    StringBuilder out = new StringBuilder(type.toString()).append(" [");
    for (int i = 0; i < Math.min(count, 32); i++) {
      out.append(i == 0 ? "" : ", ");
      ElementType element = type.element();
      if (element.isComplex()) {
        out.append('(').append(getDouble(i)).append(", ").append(getImaginary(i)).append(')');
      } else if (element.isFloat()) {
        out.append(getDouble(i));
      } else if (element == ElementType.UI64) {
        out.append(Long.toUnsignedString(getLong(i)));
      } else {
        out.append(getLong(i));
      }
    }
    return out.append(count > 32 ? ", ...]" : "]").toString();
  }
}
