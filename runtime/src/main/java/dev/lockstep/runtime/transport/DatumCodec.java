package dev.lockstep.runtime.transport;

import static com.google.common.base.Preconditions.checkArgument;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Datum;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Values as bytes, bit for bit: tensors, tuples and tokens.
 *
 * <p>A tensor is its element type's name, its sizes, whether one element stands for all, and the
 * numbers of {@link Literal}'s storage, most significant byte first. Processes of one job run one
 * version of this, which the handshake checks.
 */
public final class DatumCodec {
  private static final byte TENSOR = 0;
  private static final byte SPLAT = 1;
  private static final byte TUPLE = 2;
  private static final byte TOKEN = 3;

  private DatumCodec() {}

  /**
   * Appends {@code values} and how many they are to {@code out}.
   *
   * @throws IllegalArgumentException if one of them cannot leave its process
   */
  public static void write(List<? extends Datum> values, ByteWriter out) {
    out.number(values.size());
    for (Datum value : values) {
      write(value, out);
    }
  }

  private static void write(Datum value, ByteWriter out) {
    if (value instanceof Literal) {
      write((Literal) value, out);
    } else if (value instanceof Datum.Tuple) {
      out.room(1).put(TUPLE);
      write(((Datum.Tuple) value).elements(), out);
    } else {
      checkArgument(value instanceof Datum.Token, "%s cannot be sent", value);
      out.room(1).put(TOKEN);
    }
  }

  private static void write(Literal value, ByteWriter out) {
    out.room(1).put(value.isSplat() ? SPLAT : TENSOR);
    out.text(value.element().mlirName());
    out.number(value.dims().length());
    value.dims().forEach(dim -> out.room(Long.BYTES).putLong(dim));
    Object storage = value.rawStorage();
    if (storage instanceof byte[]) {
      out.room(((byte[]) storage).length).put((byte[]) storage);
    } else if (storage instanceof short[]) {
      short[] numbers = (short[]) storage;
      ByteBuffer room = out.room(Math.multiplyExact(numbers.length, Short.BYTES));
      for (short number : numbers) {
        room.putShort(number);
      }
    } else if (storage instanceof int[]) {
      int[] numbers = (int[]) storage;
      ByteBuffer room = out.room(Math.multiplyExact(numbers.length, Integer.BYTES));
      for (int number : numbers) {
        room.putInt(number);
      }
    } else if (storage instanceof long[]) {
      long[] numbers = (long[]) storage;
      ByteBuffer room = out.room(Math.multiplyExact(numbers.length, Long.BYTES));
      for (long number : numbers) {
        room.putLong(number);
      }
    } else if (storage instanceof float[]) {
      float[] numbers = (float[]) storage;
      ByteBuffer room = out.room(Math.multiplyExact(numbers.length, Float.BYTES));
      for (float number : numbers) {
        room.putInt(Float.floatToRawIntBits(number));
      }
    } else {
      double[] numbers = (double[]) storage;
      ByteBuffer room = out.room(Math.multiplyExact(numbers.length, Double.BYTES));
      for (double number : numbers) {
        room.putLong(Double.doubleToRawLongBits(number));
      }
    }
  }

  /**
   * Returns the values that {@link #write} has appended.
   *
   * @throws IllegalArgumentException if {@code in} holds something else
   */
  public static ImmutableList<Datum> read(ByteBuffer in) {
    try {
      int count = ByteWriter.number(in);
      ImmutableList.Builder<Datum> out = ImmutableList.builder();
      for (int i = 0; i < count; i++) {
        out.add(readOne(in));
      }
      return out.build();
    } catch (BufferUnderflowException e) {
      throw new IllegalArgumentException("a value is cut off", e);
    }
  }

  private static Datum readOne(ByteBuffer in) {
    byte kind = in.get();
    return switch (kind) {
      case TENSOR, SPLAT -> readLiteral(kind == SPLAT, in);
      case TUPLE -> new Datum.Tuple(read(in));
      case TOKEN -> Datum.Token.TOKEN;
      default -> throw new IllegalArgumentException("no value begins with " + kind);
    };
  }

  private static Literal readLiteral(boolean splat, ByteBuffer in) {
    String name = ByteWriter.text(in);
    ElementType element = ElementType.byMlirName(name);
    checkArgument(element != null, "there is no element type %s", name);
    int rank = ByteWriter.number(in);
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder();
    for (int i = 0; i < rank; i++) {
      long dim = in.getLong();
      checkArgument(dim >= 0, "a size is %s", dim);
      dims.add(dim);
    }
    TensorType type = TensorType.of(element, dims.build());
    long count = splat ? 1 : type.count();
    checkArgument(count <= in.remaining() || count == 0, "%s does not fit its bytes", type);
    Object storage = Literal.newStorage(element, (int) count);
    fill(storage, in);
    return splat ? Literal.splat(type, storage) : Literal.of(type, storage);
  }

  private static void fill(Object storage, ByteBuffer in) {
    if (storage instanceof byte[]) {
      in.get((byte[]) storage);
    } else if (storage instanceof short[]) {
      short[] numbers = (short[]) storage;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.getShort();
      }
    } else if (storage instanceof int[]) {
      int[] numbers = (int[]) storage;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.getInt();
      }
    } else if (storage instanceof long[]) {
      long[] numbers = (long[]) storage;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.getLong();
      }
    } else if (storage instanceof float[]) {
      float[] numbers = (float[]) storage;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Float.intBitsToFloat(in.getInt());
      }
    } else {
      double[] numbers = (double[]) storage;
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = Double.longBitsToDouble(in.getLong());
      }
    }
  }
}
