package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.Arrays;

/**
 * Decodes {@code dense<...>} straight into typed arrays: nested lists, one value for all, and blobs
 * of hexadecimal digits.
 */
final class DenseReader {
  private static final int MAX_RANK = 64;

  /** Elements of a literal that is not a splat; more does not fit into an array of bytes. */
  private static final long MAX_COUNT = 1L << 28;

  private final Cursor cursor;
  private final int begin;
  private final Type type;
  private final byte[] bytes;

  DenseReader(Source source, int begin, int end, Type type) {
    this.cursor = new Cursor(source, begin, end);
    this.begin = begin;
    this.type = type;
    this.bytes = source.bytes();
  }

  Attribute read() {
    boolean dense = cursor.startsWith("dense") && !cursor.startsWith("dense_");
    if (!(type instanceof TensorType) || !((TensorType) type).isStatic() || !dense) {
      return raw(dense);
    }
    TensorType tensor = (TensorType) type;
    if (tensor.count() > Integer.MAX_VALUE) {
      throw cursor.error("literal-size", type + " has too many elements");
    }
    cursor.expect("dense");
    cursor.expect("<");
    int next = cursor.peek();
    if (next == '"') {
      return blob(tensor);
    }
    if (next == '>') {
      if (tensor.count() != 0) {
        throw cursor.error(
            "literal-shape", "parsed zero elements, but type (" + type + ") expects at least 1");
      }
      return new Attribute.Dense(
          Literal.of(plain(tensor), Literal.newStorage(tensor.element(), 0)), tensor);
    }
    if (next != '[') {
      LiteralBuilder one = new LiteralBuilder(TensorType.of(tensor.element()));
      element(one, 0);
      cursor.expect(">");
      return new Attribute.Dense(Literal.splat(plain(tensor), one.build().storage()), tensor);
    }
    if (tensor.count() > MAX_COUNT) {
      throw cursor.error("literal-size", type + " has too many elements");
    }
    return list(tensor);
  }

  private static TensorType plain(TensorType tensor) {
    return TensorType.of(tensor.element(), tensor.dims());
  }

  /** Keeps what is of no modelled type: quantised elements, vectors, resources. */
  private Attribute raw(boolean dense) {
    if (type instanceof TensorType && !((TensorType) type).isStatic()) {
      throw cursor.error("literal-type", "elements literal type must have static shape");
    }
    String name = type.toString();
    if (dense && name.startsWith("tensor<") && name.endsWith("xindex>")) {
      return index(name);
    }
    String text = Spacing.normalise(cursor.text(begin, cursor.end));
    if (dense
        && !(type.toString().startsWith("tensor<") || type.toString().startsWith("vector<"))) {
      throw cursor.error(
          "literal-type", "elements literal must be a ranked tensor or vector type, got " + type);
    }
    return new Attribute.Raw(text + " : " + type);
  }

  /** Reads numbers of type index as 64-bit ones and keeps their text as it would be printed. */
  private Attribute index(String name) {
    com.google.common.primitives.ImmutableLongArray.Builder dims =
        com.google.common.primitives.ImmutableLongArray.builder();
    for (String size :
        name.substring("tensor<".length(), name.length() - "xindex>".length()).split("x", -1)) {
      if (size.equals("?") || size.equals("*")) {
        throw cursor.error("literal-type", "elements literal type must have static shape");
      }
      dims.add(Long.parseLong(size));
    }
    Attribute numbers =
        new DenseReader(
                cursor.source, begin, cursor.end, TensorType.of(ElementType.I64, dims.build()))
            .read();
    StringBuilder text = new StringBuilder("dense<");
    DenseWriter.write(text, ((Attribute.Dense) numbers).literal());
    return new Attribute.Raw(text.append("> : ").append(name).toString());
  }

  // Lists.

  private Attribute list(TensorType tensor) {
    int rank = tensor.rank();
    int count = (int) tensor.count();
    LiteralBuilder out = new LiteralBuilder(plain(tensor));
    long[] seen = new long[MAX_RANK + 1];
    long[] sizes = new long[MAX_RANK + 1];
    Arrays.fill(sizes, -1);
    int depth = 0;
    int leaves = -1;
    int at = 0;
    boolean value = false;
    int from = cursor.at;
    while (true) {
      int next = cursor.peek();
      if (next == '[') {
        if (depth == MAX_RANK) {
          throw cursor.error("nesting-too-deep", "the literal has too many dimensions");
        }
        if (value || depth > 0 && leaves == depth) {
          throw cursor.error(
              "literal-shape", "tensor literal is invalid; ranks are not consistent");
        }
        cursor.at++;
        seen[depth++] = 0;
        value = cursor.peek() == ']';
        if (!value) {
          continue;
        }
        cursor.at++;
        depth = close(depth, seen, sizes);
      } else if (next == ']') {
        cursor.at++;
        if (depth == 0 || !value) {
          throw cursor.error("syntax", "expected element in tensor literal");
        }
        depth = close(depth, seen, sizes);
      } else if (next == ',') {
        cursor.at++;
        if (!value) {
          throw cursor.error("syntax", "expected element in tensor literal");
        }
        value = false;
        continue;
      } else {
        if (value) {
          throw cursor.error("syntax", "expected ',' or ']' in tensor literal");
        }
        if (leaves >= 0 && leaves != depth) {
          throw cursor.error(
              "literal-shape", "tensor literal is invalid; ranks are not consistent");
        }
        leaves = depth;
        if (at >= count) {
          // Only to say how many there are; what follows is not decoded.
          cursor.item();
          at++;
        } else {
          element(out, at++);
        }
        seen[depth - 1]++;
        value = true;
        continue;
      }
      if (depth == 0) {
        break;
      }
    }
    cursor.expect(">");
    boolean same = true;
    int levels = 0;
    while (levels < sizes.length && sizes[levels] >= 0) {
      levels++;
    }
    for (int i = 0; i < Math.max(levels, rank); i++) {
      same &= i < levels && i < rank && sizes[i] == tensor.dim(i);
    }
    if (!same || at != count) {
      cursor.at = from;
      throw cursor.error(
          "literal-shape",
          "inferred shape of elements literal ("
              + Arrays.toString(Arrays.copyOf(sizes, levels))
              + ") does not match type ("
              + tensor.dims()
              + ")");
    }
    return new Attribute.Dense(out.build(), tensor);
  }

  /** Ends a list; all lists of one level have the same length. */
  private int close(int depth, long[] seen, long[] sizes) {
    int level = depth - 1;
    if (sizes[level] < 0) {
      sizes[level] = seen[level];
    } else if (sizes[level] != seen[level]) {
      throw cursor.error(
          "literal-shape", "tensor literal is invalid; ranks are not consistent between elements");
    }
    if (level > 0) {
      seen[level - 1]++;
    }
    return level;
  }

  private void element(LiteralBuilder out, int i) {
    cursor.blanks();
    int from = cursor.at;
    try {
      ElementType element = out.type().element();
      if (element.isComplex()) {
        complex(out, i);
      } else if (element.isFloat()) {
        NumberReader.set(out, i, number());
      } else {
        integer(out, i, element);
      }
    } catch (IllegalArgumentException e) {
      cursor.at = from;
      throw cursor.error("literal-element", String.valueOf(e.getMessage()));
    }
  }

  private void integer(LiteralBuilder out, int i, ElementType element) {
    int at = cursor.at;
    boolean negative = bytes[at] == '-';
    int j = negative ? at + 1 : at;
    int limit = Math.min(cursor.end, j + 18);
    long value = 0;
    int start = j;
    while (j < limit && bytes[j] >= '0' && bytes[j] <= '9') {
      value = value * 10 + bytes[j] - '0';
      j++;
    }
    boolean simple = j > start && j < limit && !isNumberByte(bytes[j]);
    if (simple && element.bits() >= 32 && !(negative && element.isUnsigned())) {
      long signed = negative ? -value : value;
      if (element.bits() == 64 || signed >= -(1L << 31) && signed < 1L << 31) {
        cursor.at = j;
        out.setLong(i, signed);
        return;
      }
    }
    String text = number();
    if (text.indexOf('.') >= 0) {
      throw new IllegalArgumentException("expected integer elements, but parsed floating-point");
    }
    out.setLong(i, NumberReader.integer(text, element));
  }

  private static boolean isNumberByte(byte c) {
    return c >= '0' && c <= '9' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  private void complex(LiteralBuilder out, int i) {
    ElementType part = out.type().element().realPart();
    if (cursor.peek() != '(') {
      double real = NumberReader.real(number(), part);
      out.setComplex(i, real, 0);
      return;
    }
    cursor.at++;
    LiteralBuilder parts = new LiteralBuilder(TensorType.of(part, 2));
    NumberReader.set(parts, 0, number());
    cursor.expect(",");
    NumberReader.set(parts, 1, number());
    cursor.expect(")");
    Object storage = parts.storage();
    System.arraycopy(storage, 0, out.storage(), 2 * i, 2);
  }

  private String number() {
    cursor.blanks();
    int from = cursor.at;
    int at = from;
    while (at < cursor.end && (isNumberByte(bytes[at]) || bytes[at] == '-' || bytes[at] == '+')) {
      at++;
    }
    if (at == from) {
      throw cursor.error("syntax", "expected element literal of primitive type");
    }
    cursor.at = at;
    return cursor.text(from, at);
  }

  // Blobs.

  private Attribute blob(TensorType tensor) {
    int from = cursor.at + 1;
    cursor.string();
    int to = cursor.at - 1;
    cursor.expect(">");
    if (to - from < 2 || bytes[from] != '0' || bytes[from + 1] != 'x') {
      throw error(from, "expected string of hexadecimal digits beginning with 0x");
    }
    int digits = to - from - 2;
    ElementType element = tensor.element();
    int width = Math.max(1, element.bits() / 8);
    long size = digits / 2;
    long count = tensor.count();
    if (digits % 2 != 0 || size != count * width && size != width) {
      throw error(
          from,
          "elements hex data size is invalid for provided type: "
              + type
              + " has "
              + count * width
              + " bytes, got "
              + digits
              + " digits");
    }
    boolean splat = size == width && count != 1;
    int n = (int) (size / width);
    LiteralBuilder out = new LiteralBuilder(TensorType.of(element, n));
    int at = from + 2;
    if (element == ElementType.C128) {
      for (int i = 0; i < n; i++, at += 32) {
        out.setComplex(
            i, Double.longBitsToDouble(little(at, 8)), Double.longBitsToDouble(little(at + 16, 8)));
      }
    } else {
      for (int i = 0; i < n; i++, at += 2 * width) {
        out.setBits(i, little(at, width));
      }
    }
    Object storage = out.build().storage();
    return new Attribute.Dense(
        splat ? Literal.splat(plain(tensor), storage) : Literal.of(plain(tensor), storage), tensor);
  }

  private long little(int at, int width) {
    long value = 0;
    for (int i = width - 1; i >= 0; i--) {
      value = value << 8 | digit(at + 2 * i) << 4 | digit(at + 2 * i + 1);
    }
    return value;
  }

  private int digit(int at) {
    int digit = Character.digit(bytes[at], 16);
    if (digit < 0) {
      throw error(at, "expected a hexadecimal digit");
    }
    return digit;
  }

  private DiagnosticException error(int at, String message) {
    cursor.at = at;
    return cursor.error("literal-blob", message);
  }
}
