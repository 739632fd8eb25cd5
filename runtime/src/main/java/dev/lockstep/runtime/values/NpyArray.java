package dev.lockstep.runtime.values;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One array as numpy writes it: a .npy file, or an entry of an .npz.
 *
 * <p>Source: "NPY format" in numpy's documentation, versions 1.0 to 3.0. The elements stay bytes
 * until someone asks for them, so that entries which nothing asks for cost nothing and may have any
 * type.
 */
final class NpyArray {
  private static final byte[] MAGIC = {(byte) 0x93, 'N', 'U', 'M', 'P', 'Y'};

  private static final Pattern HEADER =
      Pattern.compile(
          "\\{\\s*'descr'\\s*:\\s*(?<descr>'[^']*'|\\[.*\\])\\s*,\\s*'fortran_order'\\s*:\\s*"
              + "(?<fortran>True|False)\\s*,\\s*'shape'\\s*:\\s*\\((?<shape>[0-9L, ]*)\\)\\s*,?\\s*"
              + "\\}\\s*");

  private static final Splitter DIMENSIONS = Splitter.on(',').trimResults().omitEmptyStrings();

  /** numpy's kind and width of each element type that numpy has. */
  private static final ImmutableMap<String, ElementType> TYPES =
      ImmutableMap.<String, ElementType>builder()
          .put("b1", ElementType.I1)
          .put("i1", ElementType.I8)
          .put("i2", ElementType.I16)
          .put("i4", ElementType.I32)
          .put("i8", ElementType.I64)
          .put("u1", ElementType.UI8)
          .put("u2", ElementType.UI16)
          .put("u4", ElementType.UI32)
          .put("u8", ElementType.UI64)
          .put("f2", ElementType.F16)
          .put("f4", ElementType.F32)
          .put("f8", ElementType.F64)
          .put("c8", ElementType.C64)
          .put("c16", ElementType.C128)
          .buildOrThrow();

  private final String descr;
  private final boolean fortranOrder;
  private final ImmutableLongArray shape;
  private final ByteBuffer data;

  private NpyArray(String descr, boolean fortranOrder, ImmutableLongArray shape, ByteBuffer data) {
    this.descr = descr;
    this.fortranOrder = fortranOrder;
    this.shape = shape;
    this.data = data;
  }

  /** Returns whether {@code bytes} start as a .npy file does. */
  static boolean isNpy(byte[] bytes) {
    return bytes.length >= MAGIC.length
        && ByteBuffer.wrap(bytes, 0, MAGIC.length).equals(ByteBuffer.wrap(MAGIC));
  }

  /**
   * Reads a whole .npy file.
   *
   * @throws ValueFormatException when it is not one
   */
  static NpyArray parse(byte[] bytes) throws ValueFormatException {
    if (!isNpy(bytes) || bytes.length < 10) {
      throw new ValueFormatException("is not in numpy's .npy format");
    }
    int version = bytes[6];
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).position(8);
    if (version < 1 || version > 3 || version > 1 && bytes.length < 12) {
      throw new ValueFormatException("has .npy version " + version + ", must be 1 to 3");
    }
    long length = version == 1 ? in.getShort() & 0xFFFF : in.getInt() & 0xFFFFFFFFL;
    if (length > in.remaining()) {
      throw new ValueFormatException("ends within its .npy header");
    }
    String header =
        new String(
            bytes,
            in.position(),
            (int) length,
            version == 3 ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
    Matcher matcher = HEADER.matcher(header);
    if (!matcher.matches()) {
      throw new ValueFormatException("has a .npy header that cannot be read: " + header.strip());
    }
    ImmutableLongArray.Builder shape = ImmutableLongArray.builder();
    for (String dim : DIMENSIONS.split(matcher.group("shape").replace("L", ""))) {
      try {
        shape.add(Long.parseLong(dim));
      } catch (NumberFormatException e) {
        throw new ValueFormatException("has a .npy header with the dimension " + dim);
      }
    }
    ByteBuffer data = in.position(in.position() + (int) length).slice();
    String descr = matcher.group("descr");
    return new NpyArray(
        descr.startsWith("'") ? descr.substring(1, descr.length() - 1) : descr,
        matcher.group("fortran").equals("True"),
        shape.build(),
        data);
  }

  /** Returns numpy's name of the element type, such as {@code <f4}. */
  String descr() {
    return descr;
  }

  /** Returns the sizes. */
  ImmutableLongArray shape() {
    return shape;
  }

  /** Returns the element type, or null where none of ours has this numpy type. */
  @Nullable ElementType elementType() {
    return descr.isEmpty() ? null : TYPES.get(descr.substring(1));
  }

  /**
   * Returns the elements as {@code element}, whose values are stored as {@link #elementType} in
   * this array: the same type, a narrower integer type of the same sign, or a float type of the
   * same width as the raw unsigned integer.
   *
   * @throws ValueFormatException when the file is too short, or a value does not fit
   */
  Literal literal(ElementType element) throws ValueFormatException {
    ElementType stored = elementType();
    if (stored == null) {
      throw new ValueFormatException("has numpy type '" + descr + "', which no element type has");
    }
    TensorType type = TensorType.of(element, shape);
    long count = type.count();
    int width = stored.bytes();
    if (count > Integer.MAX_VALUE || count * width != data.remaining()) {
      throw new ValueFormatException(
          "has " + data.remaining() + " bytes of data, its header promises " + count + "x" + width);
    }
    ByteOrder order = descr.charAt(0) == '>' ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN;
    ByteBuffer in = data.duplicate().order(order);
    LiteralBuilder out = new LiteralBuilder(type);
    if (!fortranOrder && stored == element) {
      copyAll(in, out.storage());
      return out.build();
    }
    int[] places = fortranOrder ? fortranPlaces((int) count) : null;
    for (int i = 0; i < count; i++) {
      set(out, i, in, (places == null ? i : places[i]) * width, stored);
    }
    return out.build();
  }

  private static void copyAll(ByteBuffer in, Object storage) {
    if (storage instanceof byte[]) {
      in.get((byte[]) storage);
    } else if (storage instanceof short[]) {
      in.asShortBuffer().get((short[]) storage);
    } else if (storage instanceof int[]) {
      in.asIntBuffer().get((int[]) storage);
    } else if (storage instanceof long[]) {
      in.asLongBuffer().get((long[]) storage);
    } else if (storage instanceof float[]) {
      in.asFloatBuffer().get((float[]) storage);
    } else {
      in.asDoubleBuffer().get((double[]) storage);
    }
  }

  private static void set(LiteralBuilder out, int i, ByteBuffer in, int at, ElementType stored)
      throws ValueFormatException {
    if (stored == ElementType.C128) {
      out.setComplex(i, in.getDouble(at), in.getDouble(at + 8));
      return;
    }
    if (stored == ElementType.C64) {
      out.setComplex(i, in.getFloat(at), in.getFloat(at + 4));
      return;
    }
    long bits =
        switch (stored.bytes()) {
          case 1 -> in.get(at) & 0xFFL;
          case 2 -> in.getShort(at) & 0xFFFFL;
          case 4 -> in.getInt(at) & 0xFFFFFFFFL;
          default -> in.getLong(at);
        };
    ElementType element = out.type().element();
    if (stored == element) {
      out.setBits(i, bits);
      return;
    }
    long value = stored.kind() == ElementType.Kind.SIGNED ? (byte) bits : bits;
    long least = element.kind() == ElementType.Kind.SIGNED ? -1L << (element.bits() - 1) : 0;
    long most = least + (1L << element.bits()) - 1;
    if (value < least || value > most) {
      throw new ValueFormatException(
          "holds " + value + ", which " + element + " cannot (element " + i + ")");
    }
    out.setBits(i, bits & ((1L << element.bits()) - 1));
  }

  /** Returns where in column-major data each element of the row-major order stands. */
  private int[] fortranPlaces(int count) {
    int rank = shape.length();
    int[] strides = new int[rank];
    int stride = 1;
    for (int d = 0; d < rank; d++) {
      strides[d] = stride;
      stride *= (int) shape.get(d);
    }
    int[] places = new int[count];
    int[] index = new int[rank];
    int place = 0;
    for (int i = 0; i < count; i++) {
      places[i] = place;
      for (int d = rank - 1; d >= 0; d--) {
        index[d]++;
        place += strides[d];
        if (index[d] < shape.get(d)) {
          break;
        }
        place -= strides[d] * index[d];
        index[d] = 0;
      }
    }
    return places;
  }

  /** Returns {@code literal} as a .npy file; types that numpy has no name for as raw integers. */
  static byte[] write(Literal literal) {
    ElementType element = literal.element();
    String kind =
        switch (element.kind()) {
          case BOOL -> "b";
          case SIGNED -> "i";
          case UNSIGNED -> "u";
          case FLOAT -> isNumpyType(element) ? "f" : "u";
          case COMPLEX -> "c";
        };
    StringBuilder shape = new StringBuilder("(");
    for (int d = 0; d < literal.dims().length(); d++) {
      shape.append(d == 0 ? "" : ", ").append(literal.dims().get(d));
    }
    shape.append(literal.dims().length() == 1 ? ",)" : ")");
    String header =
        String.format(
            "{'descr': '%s%s%d', 'fortran_order': False, 'shape': %s, }",
            element.bytes() == 1 ? "|" : "<", kind, element.bytes(), shape);
    int padding = 64 - (10 + header.length() + 1) % 64;
    header += " ".repeat(padding % 64) + "\n";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.writeBytes(MAGIC);
    out.writeBytes(new byte[] {1, 0, (byte) header.length(), (byte) (header.length() >> 8)});
    out.writeBytes(header.getBytes(StandardCharsets.ISO_8859_1));
    out.writeBytes(elements(literal));
    return out.toByteArray();
  }

  private static byte[] elements(Literal literal) {
    int width = literal.element().bytes();
    byte[] bytes = new byte[Math.multiplyExact(literal.count(), width)];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    boolean signed = literal.element().kind() == ElementType.Kind.SIGNED;
    for (int i = 0; i < literal.count(); i++) {
      if (literal.element() == ElementType.C128) {
        out.putDouble(literal.getDouble(i)).putDouble(literal.getImaginary(i));
        continue;
      }
      switch (width) {
        case 1 -> out.put((byte) (signed ? literal.getLong(i) : literal.getBits(i)));
        case 2 -> out.putShort((short) literal.getBits(i));
        case 4 -> out.putInt((int) literal.getBits(i));
        default -> out.putLong(literal.getBits(i));
      }
    }
    return bytes;
  }

  /** Returns whether numpy has a type that stores {@code element} as itself. */
  static boolean isNumpyType(ElementType element) {
    return !element.isFloat()
        || element == ElementType.F16
        || element == ElementType.F32
        || element == ElementType.F64;
  }
}
