package dev.lockstep.hlo.text.hlo;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.nio.charset.StandardCharsets;

/** Decodes literals from bytes straight into typed arrays. */
final class LiteralReader {
  /** Arrays larger than this are not made of one value: the text would be too cheap for them. */
  private static final long MAX_LONE = 1L << 25;

  private static final double[] POWERS_OF_TEN = new double[23];

  static {
    double power = 1;
    for (int i = 0; i < POWERS_OF_TEN.length; i++) {
      POWERS_OF_TEN[i] = power;
      power *= 10;
    }
  }

  private final Cursor in;

  LiteralReader(Cursor in) {
    this.in = in;
  }

  /**
   * Reads a literal of a static {@code type}.
   *
   * @return the values; text where the values were left out ({@code {...}})
   */
  Attribute read(TensorType type, int begin, int end) {
    in.over(begin, end);
    if (isElided(begin, end)) {
      return new Attribute.Raw("{...}");
    }
    if (isLone(type)) {
      return lone(type, begin, end);
    }
    // Each element takes two bytes of text at least, so a shape alone cannot make us allocate much.
    if (type.count() > (long) end - begin) {
      throw in.error(
          begin, end, "the literal has fewer values than " + type.count() + " of its shape");
    }
    LiteralBuilder out = new LiteralBuilder(type);
    elements(type, out, begin, end);
    in.expectEnd();
    return new Attribute.Dense(out.build(), type);
  }

  /** Returns whether one value without braces is next, for a shape that has dimensions. */
  private boolean isLone(TensorType type) {
    return type.rank() > 0 && type.count() > 0 && in.peek() != '{' && !in.atEnd();
  }

  /** Reads one value for a whole array. As in XLA it is the first element, and all others are 0. */
  private Attribute lone(TensorType type, int begin, int end) {
    if (type.count() > MAX_LONE) {
      throw in.error(begin, end, "one value cannot stand for " + type.count() + " elements");
    }
    LiteralBuilder out = new LiteralBuilder(type);
    element(type.element(), out, 0);
    in.expectEnd();
    return new Attribute.Dense(out.build(), type);
  }

  private boolean isElided(int begin, int end) {
    return end - begin >= 5
        && end - begin < 32
        && in.source.text(begin, end).replaceAll("\\s", "").equals("{...}");
  }

  private void elements(TensorType type, LiteralBuilder out, int begin, int end) {
    int rank = type.rank();
    if (rank == 0) {
      element(type.element(), out, 0);
      return;
    }
    int count = (int) type.count();
    long[] index = new long[rank + 1];
    int depth = 0;
    int filled = 0;
    do {
      int c = in.peek();
      if (c == '{') {
        if (depth == rank) {
          throw in.expected("a value: the shape has " + rank + " dimensions");
        }
        in.at++;
        index[++depth] = 0;
      } else if (c == '}') {
        if (depth == 0) {
          throw in.expected("'{'");
        }
        checkLength(type, index, depth, count);
        in.at++;
        depth--;
        index[depth]++;
      } else if (c == ',') {
        in.at++;
      } else if (depth != rank) {
        throw in.expected("'{' at depth " + depth + " of a shape with " + rank + " dimensions");
      } else {
        if (filled == count) {
          throw in.expected("no more values: the shape has " + count);
        }
        element(type.element(), out, filled++);
        index[depth]++;
      }
    } while (depth > 0);
    if (filled != count) {
      throw in.error(begin, end, "the literal has " + filled + " values, its shape " + count);
    }
  }

  private void checkLength(TensorType type, long[] index, int depth, int count) {
    if (index[depth] != type.dim(depth - 1) && !(count == 0 && index[depth] == 0)) {
      throw in.error(
          in.at,
          in.at + 1,
          "dimension "
              + (depth - 1)
              + " has size "
              + type.dim(depth - 1)
              + ", but "
              + index[depth]
              + " values are given");
    }
  }

  private void element(ElementType element, LiteralBuilder out, int i) {
    in.peek();
    switch (element.kind()) {
      case BOOL -> bool(out, i);
      case SIGNED, UNSIGNED -> integer(element, out, i);
      case FLOAT -> floating(element, out, i);
      case COMPLEX -> {
        in.expect('(');
        double real = number();
        in.expect(',');
        in.peek();
        double imaginary = number();
        in.expect(')');
        out.setComplex(i, real, imaginary);
      }
    }
  }

  private void bool(LiteralBuilder out, int i) {
    if (in.atInteger()) {
      out.setBoolean(i, in.integer() != 0);
      return;
    }
    int begin = in.at;
    String word = in.word();
    if (!word.equals("true") && !word.equals("false")) {
      throw in.error(begin, Math.max(begin + 1, in.at), "expected true or false");
    }
    out.setBoolean(i, word.equals("true"));
  }

  private void integer(ElementType element, LiteralBuilder out, int i) {
    int begin = in.at;
    if (!in.atInteger()) {
      String word = in.word();
      if (word.equals("true") || word.equals("false")) {
        out.setLong(i, word.equals("true") ? 1 : 0);
        return;
      }
      throw in.error(begin, Math.max(begin + 1, in.at), "expected an integer");
    }
    long value = in.integer();
    boolean negative = in.bytes[begin] == '-';
    int bits = element.bits();
    boolean fits;
    if (element.isUnsigned()) {
      fits = bits == 64 ? !negative || value == 0 : value >= 0 && value >>> bits == 0;
      // XLA reads -1 as the largest unsigned number.
      fits |= negative && value >= -(1L << Math.min(62, bits - 1));
    } else {
      fits =
          bits == 64
              ? negative || value >= 0
              : value >= -(1L << (bits - 1)) && value < 1L << (bits - 1);
    }
    if (!fits) {
      throw in.error(
          begin, in.at, in.source.text(begin, in.at) + " is out of range of " + element.hloName());
    }
    out.setLong(i, value);
  }

  private void floating(ElementType element, LiteralBuilder out, int i) {
    int begin = in.at;
    boolean negative = in.at < in.end && in.bytes[in.at] == '-';
    int first = negative ? in.at + 1 : in.at;
    if (first + 3 < in.end
        && in.bytes[first] == 'n'
        && in.bytes[first + 1] == 'a'
        && in.bytes[first + 2] == 'n'
        && in.bytes[first + 3] == '(') {
      in.at = first + 4;
      out.setBits(i, nanBits(element, payload(begin), negative));
      return;
    }
    double value = number();
    if (Double.isNaN(value)) {
      out.setDouble(i, negative ? -Double.NaN : value);
      if (negative) {
        out.setBits(i, nanBits(element, -1, true));
      }
      return;
    }
    out.setDouble(i, value);
  }

  private long payload(int begin) {
    in.expect('0');
    in.expect('x');
    long value = 0;
    int digits = 0;
    while (in.at < in.end && Character.digit(in.bytes[in.at], 16) >= 0) {
      value = value * 16 + Character.digit(in.bytes[in.at++], 16);
      digits++;
    }
    if (digits == 0 || digits > 16) {
      throw in.error(begin, in.at, "expected a hexadecimal payload");
    }
    in.expect(')');
    return value;
  }

  /** Returns a NaN with {@code payload} in its mantissa, or the quiet one for -1. */
  private static long nanBits(ElementType element, long payload, boolean negative) {
    int mantissa =
        switch (element) {
          case F64 -> 52;
          case F32 -> 23;
          case F16 -> 10;
          case BF16 -> 7;
          case F8E5M2 -> 2;
          case F8E4M3 -> 3;
          case F8E3M4 -> 4;
          default -> -1;
        };
    if (mantissa < 0) {
      LiteralBuilder one = new LiteralBuilder(TensorType.of(element));
      one.setDouble(0, Double.NaN);
      long positive = one.build().getBits(0);
      return element == ElementType.F8E4M3FN && negative ? positive | 0x80 : positive;
    }
    int bits = element.bits();
    long exponent = (1L << (bits - 1 - mantissa)) - 1 << mantissa;
    long quiet = payload == -1 ? 1L << (mantissa - 1) : payload & (1L << mantissa) - 1;
    return exponent | quiet | (negative ? 1L << (bits - 1) : 0);
  }

  /** Reads a number: what C's strtod accepts, in decimal. */
  private double number() {
    int begin = in.at;
    byte[] bytes = in.bytes;
    int p = begin;
    int end = in.end;
    boolean negative = p < end && bytes[p] == '-';
    if (negative || p < end && bytes[p] == '+') {
      p++;
    }
    int digitsBegin = p;
    long digits = 0;
    int count = 0;
    int scale = 0;
    boolean point = false;
    while (p < end) {
      int c = bytes[p];
      if (c >= '0' && c <= '9') {
        digits = digits * 10 + (c - '0');
        count += digits == 0 ? 0 : 1;
        scale += point ? 1 : 0;
      } else if (c == '.' && !point) {
        point = true;
      } else {
        break;
      }
      p++;
    }
    if (p == digitsBegin || p == digitsBegin + 1 && point) {
      return word(begin, digitsBegin, negative);
    }
    int exponent = 0;
    if (p < end && (bytes[p] == 'e' || bytes[p] == 'E')) {
      int q = p + 1;
      boolean down = q < end && bytes[q] == '-';
      if (down || q < end && bytes[q] == '+') {
        q++;
      }
      if (q < end && Cursor.isDigit(bytes[q])) {
        while (q < end && Cursor.isDigit(bytes[q])) {
          exponent = Math.min(exponent * 10 + bytes[q] - '0', 100000);
          q++;
        }
        exponent = down ? -exponent : exponent;
        p = q;
      }
    }
    in.at = p;
    int power = exponent - scale;
    if (count <= 15 && power >= -22 && power <= 22) {
      // Both factors are exact, so the result is correctly rounded.
      double value = power < 0 ? digits / POWERS_OF_TEN[-power] : digits * POWERS_OF_TEN[power];
      return negative ? -value : value;
    }
    return Double.parseDouble(new String(bytes, begin, p - begin, StandardCharsets.ISO_8859_1));
  }

  private double word(int begin, int from, boolean negative) {
    in.at = from;
    String word = in.word();
    switch (word) {
      case "inf":
        return negative ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
      case "nan":
        return Double.NaN;
      case "true":
        return 1;
      case "false":
        return 0;
      default:
        throw in.error(begin, Math.max(begin + 1, in.at), "expected a number");
    }
  }
}
