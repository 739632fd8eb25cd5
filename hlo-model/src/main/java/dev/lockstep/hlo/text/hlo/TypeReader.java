package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableIntArray;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Layout;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import org.jspecify.annotations.Nullable;

/** Reads shapes: {@code f32[2,<=3]{1,0:T(8,128)}}, {@code (f32[], token[])}, {@code b(f32[2])}. */
final class TypeReader {
  /** Tuples deeper than this are taken for an attack, not a program. */
  private static final int MAX_DEPTH = 200;

  private final Cursor in;

  TypeReader(Cursor in) {
    this.in = in;
  }

  /** Reads the shape that starts at the cursor. */
  Type read() {
    return read(0);
  }

  private Type read(int depth) {
    if (depth > MAX_DEPTH) {
      throw in.error(in.at, in.at + 1, "shapes nest more than " + MAX_DEPTH + " deep");
    }
    if (in.accept('(')) {
      ImmutableList.Builder<Type> elements = ImmutableList.builder();
      if (!in.accept(')')) {
        do {
          elements.add(read(depth + 1));
        } while (in.accept(','));
        in.expect(')');
      }
      return new TupleType(elements.build());
    }
    in.peek();
    int begin = in.at;
    String name = in.word();
    if (name.equals("b") && in.peek() == '(') {
      in.accept('(');
      read(depth + 1);
      in.expect(')');
      return new OpaqueType(in.source.text(begin, in.at));
    }
    if (name.isEmpty()) {
      throw in.expected("a shape");
    }
    int nameEnd = in.at;
    in.expect('[');
    if (name.equals("token") || name.equals("opaque")) {
      in.expect(']');
      return name.equals("token") ? TokenType.TOKEN : new OpaqueType("opaque[]");
    }
    ElementType element = ElementType.byHloName(name);
    if (element == null) {
      if (name.matches("[su]1")) {
        skipPast(']');
        layout();
        return new OpaqueType(in.source.text(begin, in.at));
      }
      throw in.error(begin, nameEnd, "'" + name + "' is no element type");
    }
    return tensor(element);
  }

  private void skipPast(char c) {
    while (!in.accept(c)) {
      if (in.atEnd()) {
        throw in.expected("'" + c + "'");
      }
      in.at++;
    }
  }

  private Type tensor(ElementType element) {
    ImmutableLongArray.Builder dims = ImmutableLongArray.builder(4);
    ImmutableLongArray.Builder bounds = ImmutableLongArray.builder(4);
    boolean bounded = false;
    if (!in.accept(']')) {
      do {
        if (in.accept('?')) {
          dims.add(TensorType.DYNAMIC);
          bounds.add(TensorType.DYNAMIC);
        } else if (in.accept('<')) {
          in.expect('=');
          dims.add(TensorType.DYNAMIC);
          bounds.add(size());
          bounded = true;
        } else {
          dims.add(size());
          bounds.add(TensorType.DYNAMIC);
        }
      } while (in.accept(','));
      in.expect(']');
    }
    ImmutableLongArray sizes = dims.build();
    int begin = in.at;
    Layout layout = layout();
    if (layout != null && layout.minorToMajor().length() != sizes.length()) {
      // A layout that gives no order at all, {:T(128)}, is one for any rank in XLA.
      if (!layout.minorToMajor().isEmpty()) {
        throw in.error(
            begin,
            in.at,
            "the layout orders "
                + layout.minorToMajor().length()
                + " dimensions, but the shape has "
                + sizes.length());
      }
    }
    if (layout != null && !isOrder(layout.minorToMajor())) {
      throw in.error(begin, in.at, "the layout " + layout + " must name each dimension once");
    }
    return TensorType.of(element, sizes, bounded ? bounds.build() : null, layout, null);
  }

  private static boolean isOrder(ImmutableIntArray dims) {
    long seen = 0;
    for (int i = 0; i < dims.length(); i++) {
      int dim = dims.get(i);
      if (dim < 0 || dim >= dims.length() || dim < Long.SIZE && (seen >> dim & 1) != 0) {
        return false;
      }
      seen |= 1L << dim;
    }
    return true;
  }

  private long size() {
    int begin = in.at;
    long size = in.integer();
    if (size < 0) {
      throw in.error(begin, in.at, "a size must not be negative");
    }
    return size;
  }

  private @Nullable Layout layout() {
    int begin = in.at;
    if (in.peek() != '{') {
      in.at = begin;
      return null;
    }
    boolean apart = in.at > begin;
    in.accept('{');
    // Where values may follow a shape, a brace with a blank before it is a layout if a number is
    // next, as XLA reads it.
    if (apart && !in.atInteger() && in.peek() != ':') {
      in.at = begin;
      return null;
    }
    ImmutableIntArray.Builder order = ImmutableIntArray.builder(4);
    while (in.atInteger()) {
      order.add((int) in.integer());
      if (!in.accept(',')) {
        break;
      }
    }
    String extras = "";
    if (in.accept(':')) {
      int from = in.at;
      int depth = 0;
      while (in.at < in.end && (depth > 0 || in.bytes[in.at] != '}')) {
        int c = in.bytes[in.at];
        depth += c == '(' || c == '{' ? 1 : c == ')' || c == '}' ? -1 : 0;
        in.at++;
      }
      extras = in.source.text(from, in.at).trim();
    }
    in.expect('}');
    ImmutableIntArray minorToMajor = order.build();
    return minorToMajor.isEmpty() && extras.isEmpty() ? null : new Layout(minorToMajor, extras);
  }
}
