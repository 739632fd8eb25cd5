package dev.lockstep.runtime.pjrt;

import com.google.common.collect.ImmutableBiMap;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Element types by the plugins' numbers, and literals as bytes on the host: row-major, one byte an
 * element for everything of at most 8 bits.
 */
final class PjrtTypes {
  private static final ImmutableBiMap<ElementType, Integer> NUMBERS =
      ImmutableBiMap.<ElementType, Integer>builder()
          .put(ElementType.I1, 1)
          .put(ElementType.I8, 2)
          .put(ElementType.I16, 3)
          .put(ElementType.I32, 4)
          .put(ElementType.I64, 5)
          .put(ElementType.UI8, 6)
          .put(ElementType.UI16, 7)
          .put(ElementType.UI32, 8)
          .put(ElementType.UI64, 9)
          .put(ElementType.F16, 10)
          .put(ElementType.F32, 11)
          .put(ElementType.F64, 12)
          .put(ElementType.BF16, 13)
          .put(ElementType.C64, 14)
          .put(ElementType.C128, 15)
          .put(ElementType.F8E5M2, 16)
          .put(ElementType.F8E4M3FN, 17)
          .put(ElementType.F8E4M3B11FNUZ, 18)
          .put(ElementType.F8E5M2FNUZ, 19)
          .put(ElementType.F8E4M3FNUZ, 20)
          .put(ElementType.I4, 21)
          .put(ElementType.UI4, 22)
          .put(ElementType.I2, 24)
          .put(ElementType.UI2, 25)
          .put(ElementType.F8E4M3, 26)
          .put(ElementType.F8E3M4, 27)
          .put(ElementType.F8E8M0FNU, 28)
          .put(ElementType.F4E2M1FN, 29)
          .put(ElementType.F6E2M3FN, 32)
          .put(ElementType.F6E3M2FN, 33)
          .buildOrThrow();

  /** The version that brought the types of 6 bits; an older plugin would not survive them. */
  private static final int SIX_BITS = 114;

  private PjrtTypes() {}

  /** Returns the number of {@code type} in {@code plugin}. */
  static int number(ElementType type, PjrtPlugin plugin) {
    Integer number = NUMBERS.get(type);
    if (number == null || type.bits() == 6 && plugin.minor() < SIX_BITS) {
      throw new PjrtException(PjrtCode.UNIMPLEMENTED, "the plugin has no type " + type);
    }
    return number;
  }

  /** Returns the type that has {@code number}. */
  static ElementType element(int number) {
    ElementType type = NUMBERS.inverse().get(number);
    if (type == null) {
      throw new PjrtException(
          PjrtCode.UNIMPLEMENTED, "the plugin gave a value of its type " + number);
    }
    return type;
  }

  /** Returns the bytes of {@code value} off the heap. */
  static ByteBuffer bytes(Literal value) {
    Object storage = value.storage();
    int width = Math.max(1, value.element().bits() / 8);
    ByteBuffer out =
        ByteBuffer.allocateDirect(bytes((long) value.count() * width, value.type()))
            .order(ByteOrder.nativeOrder());
    if (storage instanceof byte[]) {
      out.put((byte[]) storage);
    } else if (storage instanceof short[]) {
      out.asShortBuffer().put((short[]) storage);
    } else if (storage instanceof int[]) {
      out.asIntBuffer().put((int[]) storage);
    } else if (storage instanceof long[]) {
      out.asLongBuffer().put((long[]) storage);
    } else if (storage instanceof float[]) {
      out.asFloatBuffer().put((float[]) storage);
    } else {
      out.asDoubleBuffer().put((double[]) storage);
    }
    out.rewind();
    return out;
  }

  /** Returns {@code size} if Java has room for a value of that size in one piece. */
  static int bytes(long size, TensorType type) {
    if (size != (int) size) {
      throw new PjrtException(
          PjrtCode.RESOURCE_EXHAUSTED,
          type + " has " + size + " bytes, more than one buffer holds");
    }
    return (int) size;
  }

  /** Returns the literal of {@code type} whose bytes {@code data} holds. */
  static Literal literal(TensorType type, ByteBuffer data) {
    int count = Math.toIntExact(type.count());
    int width = Math.max(1, type.element().bits() / 8);
    if (data.capacity() < Math.multiplyExact(count, width)) {
      throw new PjrtException(
          PjrtCode.INTERNAL, "the plugin gave " + data.capacity() + " bytes for " + type);
    }
    Object storage = Literal.newStorage(type.element(), count);
    if (storage instanceof byte[]) {
      byte[] bytes = (byte[]) storage;
      data.get(0, bytes);
      normalize(type.element(), bytes);
    } else if (storage instanceof short[]) {
      data.asShortBuffer().get((short[]) storage);
    } else if (storage instanceof int[]) {
      data.asIntBuffer().get((int[]) storage);
    } else if (storage instanceof long[]) {
      data.asLongBuffer().get((long[]) storage);
    } else if (storage instanceof float[]) {
      data.asFloatBuffer().get((float[]) storage);
    } else {
      data.asDoubleBuffer().get((double[]) storage);
    }
    return Literal.of(type, storage);
  }

  /** Brings types of fewer than 8 bits into the form of {@link Literal}: signs extended or not. */
  private static void normalize(ElementType type, byte[] bytes) {
    int spare = 8 - type.bits();
    if (spare <= 0 || type.isBool()) {
      return;
    }
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] =
          type.kind() == ElementType.Kind.SIGNED
              ? (byte) ((byte) (bytes[i] << spare) >> spare)
              : (byte) ((bytes[i] << spare & 0xFF) >>> spare);
    }
  }
}
