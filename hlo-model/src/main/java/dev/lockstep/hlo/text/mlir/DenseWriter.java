package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.type.ElementType;

/** Writes what stands between the brackets of {@code dense<...>}. */
final class DenseWriter {
  /** Above so many elements MLIR writes a blob. */
  private static final int HEX_LIMIT = 100;

  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private DenseWriter() {}

  static void write(StringBuilder out, Literal literal) {
    int count = literal.count();
    if (count == 0) {
      if (literal.isSplat()) {
        element(out, literal, 0);
      }
      return;
    }
    if (AttributeWriter.isSplat(literal)) {
      element(out, literal, 0);
      return;
    }
    if (count > HEX_LIMIT) {
      blob(out, literal);
      return;
    }
    nested(out, literal, 0, 0, count);
  }

  private static void nested(StringBuilder out, Literal literal, int dimension, int at, int count) {
    int size = (int) literal.dims().get(dimension);
    int step = count / size;
    out.append('[');
    for (int i = 0; i < size; i++) {
      if (i > 0) {
        out.append(", ");
      }
      if (dimension == literal.dims().length() - 1) {
        element(out, literal, at + i);
      } else {
        nested(out, literal, dimension + 1, at + i * step, step);
      }
    }
    out.append(']');
  }

  private static void element(StringBuilder out, Literal literal, int i) {
    ElementType element = literal.element();
    if (element.isComplex()) {
      out.append('(');
      FloatText.write(out, literal, i, false);
      out.append(',');
      FloatText.write(out, literal, i, true);
      out.append(')');
    } else if (element.isFloat()) {
      FloatText.write(out, literal, i, false);
    } else if (element.isBool()) {
      out.append(literal.getLong(i) != 0);
    } else if (element == ElementType.UI64) {
      out.append(Long.toUnsignedString(literal.getLong(i)));
    } else {
      out.append(literal.getLong(i));
    }
  }

  private static void blob(StringBuilder out, Literal literal) {
    int width = literal.element().bytes();
    int count = literal.count();
    out.ensureCapacity(out.length() + 2 * width * count + 8);
    out.append("\"0x");
    boolean wide = literal.element() == ElementType.C128;
    for (int i = 0; i < count; i++) {
      if (wide) {
        little(out, Double.doubleToRawLongBits(literal.getDouble(i)), 8);
        little(out, Double.doubleToRawLongBits(literal.getImaginary(i)), 8);
      } else {
        little(out, literal.getBits(i), width);
      }
    }
    out.append('"');
  }

  private static void little(StringBuilder out, long bits, int width) {
    for (int i = 0; i < width; i++) {
      out.append(HEX[(int) (bits >> (8 * i + 4)) & 15]).append(HEX[(int) (bits >> (8 * i)) & 15]);
    }
  }
}
