package dev.lockstep.hlo.proto;

import com.google.common.primitives.ImmutableIntArray;
import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.proto.xla.LiteralProto;
import dev.lockstep.hlo.proto.xla.ShapeProto;
import dev.lockstep.hlo.text.hlo.HloFragments;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Literals: row-major {@link Literal}s and {@code LiteralProto}s, which hold their elements in the
 * order of their layout.
 *
 * <p>Truth values, 32- and 64-bit numbers have repeated fields; everything else stands as bytes,
 * little-endian. Types of fewer than 8 bits take a byte each as XLA writes them today; several a
 * byte, the first element lowest, is read too.
 */
final class LiteralForms {
  private LiteralForms() {}

  /** Returns the field that holds elements of {@code type}: {@code f32s}, {@code bf16s}. */
  private static FieldDescriptor field(ElementType type) {
    String name = type == ElementType.I1 ? "preds" : type.hloName() + "s";
    FieldDescriptor field = LiteralProto.getDescriptor().findFieldByName(name);
    if (field == null) {
      throw new IllegalStateException("no field for " + type);
    }
    return field;
  }

  /** Returns the literal, or null when it is no static tensor of the size that its shape says. */
  static @Nullable Literal literal(LiteralProto proto) {
    ShapeProto shape = proto.getShape();
    Type type = HloFragments.type(ShapeForms.text(shape));
    if (!(type instanceof TensorType) || !((TensorType) type).isStatic()) {
      return null;
    }
    TensorType tensor = (TensorType) type;
    ElementType element = tensor.element();
    LiteralBuilder out = new LiteralBuilder(tensor.withLayout(null));
    int count = (int) tensor.count();
    int[] places = places(tensor);
    FieldDescriptor field = field(element);
    if (field.isRepeated()) {
      List<?> values = (List<?>) proto.getField(field);
      int width = element.isComplex() ? 2 : 1;
      if (values.size() != count * width) {
        return null;
      }
      for (int i = 0; i < count; i++) {
        set(out, places[i], element, values, i * width);
      }
      return out.build();
    }
    ByteString bytes = (ByteString) proto.getField(field);
    int packed = packed(element);
    int perByte = bytes.size() == count ? 1 : packed;
    int each = Math.max(1, element.bits() / 8);
    if (bytes.size() != (perByte > 1 ? (count + perByte - 1) / perByte : count * each)) {
      return null;
    }
    for (int i = 0; i < count; i++) {
      out.setBits(places[i], bits(bytes, i, element, perByte));
    }
    return out.build();
  }

  private static int packed(ElementType element) {
    return element.bits() == 4 || element.bits() == 2 ? 8 / element.bits() : 1;
  }

  private static long bits(ByteString bytes, int i, ElementType element, int perByte) {
    if (perByte > 1) {
      int shift = i % perByte * element.bits();
      return bytes.byteAt(i / perByte) >> shift & (1 << element.bits()) - 1;
    }
    if (element.bits() == 16) {
      return bytes.byteAt(2 * i) & 0xFF | (bytes.byteAt(2 * i + 1) & 0xFF) << 8;
    }
    return bytes.byteAt(i) & 0xFF;
  }

  private static void set(LiteralBuilder out, int at, ElementType element, List<?> values, int i) {
    Object value = values.get(i);
    if (element == ElementType.I1) {
      out.setBoolean(at, (Boolean) value);
    } else if (element == ElementType.F32) {
      out.setBits(at, Float.floatToRawIntBits((Float) value));
    } else if (element == ElementType.F64) {
      out.setBits(at, Double.doubleToRawLongBits((Double) value));
    } else if (element.isComplex()) {
      out.setComplex(
          at, ((Number) value).doubleValue(), ((Number) values.get(i + 1)).doubleValue());
    } else {
      out.setLong(at, ((Number) value).longValue());
    }
  }

  /** Returns the row-major place of each element in the order of the layout of {@code type}. */
  private static int[] places(TensorType type) {
    int count = (int) type.count();
    int[] places = new int[count];
    int rank = type.rank();
    Layout layout = type.layout();
    ImmutableIntArray order = layout == null ? null : layout.minorToMajor();
    if (order == null || order.length() != rank) {
      for (int i = 0; i < count; i++) {
        places[i] = i;
      }
      return places;
    }
    int[] strides = new int[rank];
    int stride = 1;
    for (int d = rank - 1; d >= 0; d--) {
      strides[d] = stride;
      stride *= (int) type.dim(d);
    }
    int[] index = new int[rank];
    int place = 0;
    for (int i = 0; i < count; i++) {
      places[i] = place;
      for (int k = 0; k < rank; k++) {
        int d = order.get(k);
        place += strides[d];
        if (++index[d] < type.dim(d)) {
          break;
        }
        place -= index[d] * strides[d];
        index[d] = 0;
      }
    }
    return places;
  }

  /** Returns the proto of {@code literal} in the layout of {@code type}. */
  static LiteralProto proto(Literal literal, Type type, Location location) {
    if (!(type instanceof TensorType)) {
      throw DiagnosticException.error(
          "hlo-proto-attribute", "a literal must be a tensor, not " + type, location);
    }
    TensorType tensor = (TensorType) type;
    LiteralProto.Builder out =
        LiteralProto.newBuilder().setShape(ShapeForms.proto(tensor, location));
    ElementType element = literal.element();
    FieldDescriptor field = field(element);
    int[] places = places(tensor);
    if (field.isRepeated()) {
      for (int place : places) {
        add(out, field, element, literal, place);
      }
      return out.build();
    }
    int each = Math.max(1, element.bits() / 8);
    byte[] bytes = new byte[places.length * each];
    for (int i = 0; i < places.length; i++) {
      long bits = literal.getBits(places[i]) & (1L << element.bits()) - 1;
      if (each == 2) {
        bytes[2 * i] = (byte) bits;
        bytes[2 * i + 1] = (byte) (bits >> 8);
      } else {
        bytes[i] = (byte) bits;
      }
    }
    out.setField(field, ByteString.copyFrom(bytes));
    return out.build();
  }

  private static void add(
      Message.Builder out, FieldDescriptor field, ElementType element, Literal literal, int i) {
    switch (element) {
      case I1 -> out.addRepeatedField(field, literal.getBoolean(i));
      case I32, UI32 -> out.addRepeatedField(field, (int) literal.getLong(i));
      case I64, UI64 -> out.addRepeatedField(field, literal.getLong(i));
      case F32 -> out.addRepeatedField(field, Float.intBitsToFloat((int) literal.getBits(i)));
      case F64 -> out.addRepeatedField(field, Double.longBitsToDouble(literal.getBits(i)));
      case C64 -> {
        out.addRepeatedField(field, (float) literal.getDouble(i));
        out.addRepeatedField(field, (float) literal.getImaginary(i));
      }
      case C128 -> {
        out.addRepeatedField(field, literal.getDouble(i));
        out.addRepeatedField(field, literal.getImaginary(i));
      }
      default -> throw new IllegalStateException("no repeated field for " + element);
    }
  }
}
