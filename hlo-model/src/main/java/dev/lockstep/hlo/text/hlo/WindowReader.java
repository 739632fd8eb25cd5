package dev.lockstep.hlo.text.hlo;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.type.ElementType;
import java.util.ArrayList;
import java.util.List;

/** Reads {@code {size=3x3 stride=2x2 pad=1_1x1_1 rhs_reversal=1x1}}. */
final class WindowReader {
  private WindowReader() {}

  static Attribute read(Cursor in) {
    Attributes.Builder out = Attributes.builder();
    in.expect('{');
    while (!in.accept('}')) {
      in.peek();
      int begin = in.at;
      String name = in.word();
      if (out.has(name) || name.equals("pad") && out.has("pad_low")) {
        throw in.error(begin, in.at, "'" + name + "' is given twice");
      }
      int nameEnd = in.at;
      in.expect('=');
      switch (name) {
        case "size", "stride", "lhs_dilate", "rhs_dilate" ->
            out.put(name, AttributeReader.longs(sizes(in)));
        case "rhs_reversal" ->
            out.put(
                name, new Attribute.Longs(ImmutableLongArray.copyOf(sizes(in)), ElementType.I1));
        case "pad" -> {
          List<Long> low = new ArrayList<>();
          List<Long> high = new ArrayList<>();
          do {
            low.add(in.integer());
            in.expect('_');
            high.add(in.integer());
          } while (in.accept('x'));
          out.put("pad_low", AttributeReader.longs(low));
          out.put("pad_high", AttributeReader.longs(high));
        }
        default -> throw in.error(begin, nameEnd, "a window has no field '" + name + "'");
      }
      in.accept(',');
    }
    in.expectEnd();
    return new Attribute.Struct("window", out.build());
  }

  private static List<Long> sizes(Cursor in) {
    List<Long> out = new ArrayList<>();
    do {
      out.add(in.integer());
    } while (in.accept('x'));
    return out;
  }
}
