package dev.lockstep.hlo.text.hlo;

import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;

/** Writes slices, paddings and windows. */
final class StructPrinter {
  private static final ImmutableLongArray NONE = ImmutableLongArray.of();

  private StructPrinter() {}

  static void print(StringBuilder out, Attribute.Struct struct) {
    switch (struct.kind()) {
      case "slice" -> slice(out, struct.fields());
      case "padding" -> padding(out, struct.fields());
      case "window" -> window(out, struct.fields());
      default -> out.append("{}");
    }
  }

  private static ImmutableLongArray longs(Attributes fields, String name) {
    Attribute value = fields.get(name);
    return value instanceof Attribute.Longs ? ((Attribute.Longs) value).values() : NONE;
  }

  private static boolean all(ImmutableLongArray values, long expected) {
    for (int i = 0; i < values.length(); i++) {
      if (values.get(i) != expected) {
        return false;
      }
    }
    return true;
  }

  private static void slice(StringBuilder out, Attributes fields) {
    ImmutableLongArray start = longs(fields, "start");
    ImmutableLongArray limit = longs(fields, "limit");
    ImmutableLongArray strides = longs(fields, "strides");
    boolean plain = all(strides, 1);
    out.append('{');
    for (int i = 0; i < start.length(); i++) {
      out.append(i == 0 ? "[" : ", [").append(start.get(i)).append(':').append(limit.get(i));
      if (!plain) {
        out.append(':').append(strides.get(i));
      }
      out.append(']');
    }
    out.append('}');
  }

  private static void padding(StringBuilder out, Attributes fields) {
    ImmutableLongArray low = longs(fields, "low");
    ImmutableLongArray high = longs(fields, "high");
    ImmutableLongArray interior = longs(fields, "interior");
    boolean plain = all(interior, 0);
    for (int i = 0; i < low.length(); i++) {
      out.append(i == 0 ? "" : "x").append(low.get(i)).append('_').append(high.get(i));
      if (!plain) {
        out.append('_').append(interior.get(i));
      }
    }
  }

  /** Writes the fields that differ from their defaults, as XLA does. */
  private static void window(StringBuilder out, Attributes fields) {
    out.append('{');
    int begin = out.length();
    field(out, begin, "size", longs(fields, "size"), -1);
    field(out, begin, "stride", longs(fields, "stride"), 1);
    ImmutableLongArray low = longs(fields, "pad_low");
    ImmutableLongArray high = longs(fields, "pad_high");
    if (!all(low, 0) || !all(high, 0)) {
      out.append(out.length() == begin ? "" : " ").append("pad=");
      for (int i = 0; i < low.length(); i++) {
        out.append(i == 0 ? "" : "x").append(low.get(i)).append('_').append(high.get(i));
      }
    }
    field(out, begin, "lhs_dilate", longs(fields, "lhs_dilate"), 1);
    field(out, begin, "rhs_dilate", longs(fields, "rhs_dilate"), 1);
    field(out, begin, "rhs_reversal", longs(fields, "rhs_reversal"), 0);
    out.append('}');
  }

  private static void field(
      StringBuilder out, int begin, String name, ImmutableLongArray values, long ordinary) {
    if (values.isEmpty() || all(values, ordinary)) {
      return;
    }
    out.append(out.length() == begin ? "" : " ").append(name).append('=');
    for (int i = 0; i < values.length(); i++) {
      out.append(i == 0 ? "" : "x").append(values.get(i));
    }
  }
}
