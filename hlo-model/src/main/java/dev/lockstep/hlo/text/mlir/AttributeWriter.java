package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.op.MlirStructs;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.Type;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Writes attributes and types. */
final class AttributeWriter implements Attribute.Visitor<Void> {
  private static final char[] HEX = "0123456789ABCDEF".toCharArray();

  private final StringBuilder out;
  private final TypeWriter types;

  /** Whether the type of the next i64 or f64 is left out, as within lists. */
  private boolean elideDefaults;

  /** Locations as attributes are written with their aliases. */
  private final LocationAliases aliases;

  AttributeWriter(StringBuilder out, LocationAliases aliases) {
    this.out = out;
    this.aliases = aliases;
    this.types = new TypeWriter(out, this);
  }

  void write(Attribute attribute) {
    boolean before = elideDefaults;
    elideDefaults = false;
    attribute.accept(this);
    elideDefaults = before;
  }

  private void element(Attribute attribute) {
    boolean before = elideDefaults;
    elideDefaults = true;
    attribute.accept(this);
    elideDefaults = before;
  }

  // Types.

  void type(Type type) {
    types.write(type);
  }

  void types(List<? extends Type> list) {
    types.write(list);
  }

  /** Writes {@code -> T} without the arrow. */
  void results(List<? extends Type> list) {
    types.results(list);
  }

  // Dictionaries.

  /** One entry to print. */
  record Entry(String name, Attribute value) {}

  /** Writes entries sorted by name, without brackets. */
  void entries(List<Entry> entries) {
    entries.sort(Comparator.comparing(Entry::name));
    for (int i = 0; i < entries.size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      Entry entry = entries.get(i);
      key(entry.name());
      if (!(entry.value() instanceof Attribute.Unit)) {
        out.append(" = ");
        write(entry.value());
      }
    }
  }

  static List<Entry> list(Attributes attributes) {
    List<Entry> list = new ArrayList<>(attributes.size());
    attributes.forEach((name, value) -> list.add(new Entry(name, value)));
    return list;
  }

  private void key(String name) {
    if (isBare(name)) {
      out.append(name);
    } else {
      quote(out, Attribute.Str.of(name));
    }
  }

  static boolean isBare(String name) {
    if (name.isEmpty() || !(isLetter(name.charAt(0)) || name.charAt(0) == '_')) {
      return false;
    }
    for (int i = 1; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(isLetter(c) || c >= '0' && c <= '9' || c == '_' || c == '$' || c == '.')) {
        return false;
      }
    }
    return true;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z';
  }

  static void symbolName(StringBuilder out, String name) {
    out.append('@');
    if (isBare(name)) {
      out.append(name);
    } else {
      quote(out, Attribute.Str.of(name));
    }
  }

  static void quote(StringBuilder out, Attribute.Str string) {
    byte[] bytes =
        string
            .value()
            .getBytes(string.bytes() ? StandardCharsets.ISO_8859_1 : StandardCharsets.UTF_8);
    out.append('"');
    for (byte b : bytes) {
      if (b == '\\') {
        out.append("\\\\");
      } else if (b >= 32 && b < 127 && b != '"') {
        out.append((char) b);
      } else {
        out.append('\\').append(HEX[(b >> 4) & 15]).append(HEX[b & 15]);
      }
    }
    out.append('"');
  }

  // Attributes.

  @Override
  public Void unit(Attribute.Unit attribute) {
    out.append("unit");
    return null;
  }

  @Override
  public Void bool(Attribute.Bool attribute) {
    out.append(attribute.value());
    return null;
  }

  @Override
  public Void integer(Attribute.Int attribute) {
    ElementType type = attribute.type();
    out.append(
        type != null && type.isUnsigned()
            ? Long.toUnsignedString(attribute.value())
            : Long.toString(attribute.value()));
    if (type == null) {
      out.append(" : index");
    } else if (!(elideDefaults && type == ElementType.I64)) {
      out.append(" : ").append(type.mlirName());
    }
    return null;
  }

  @Override
  public Void floating(Attribute.Real attribute) {
    ElementType type = attribute.type() == null ? ElementType.F64 : attribute.type();
    int mark = out.length();
    FloatText.write(out, attribute.value(), type);
    boolean hex = out.indexOf("0x", mark) == mark;
    if (!(elideDefaults && type == ElementType.F64 && !hex)) {
      out.append(" : ").append(type.mlirName());
    }
    return null;
  }

  @Override
  public Void string(Attribute.Str attribute) {
    quote(out, attribute);
    return null;
  }

  @Override
  public Void array(Attribute.Array attribute) {
    out.append('[');
    for (int i = 0; i < attribute.elements().size(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      element(attribute.elements().get(i));
    }
    out.append(']');
    return null;
  }

  @Override
  public Void dict(Attribute.Dict attribute) {
    out.append('{');
    entries(list(attribute.entries()));
    out.append('}');
    return null;
  }

  @Override
  public Void dense(Attribute.Dense attribute) {
    out.append("dense<");
    DenseWriter.write(out, attribute.literal());
    out.append("> : ");
    type(attribute.type());
    return null;
  }

  /** Writes {@code [1, 2]} with or without its brackets. */
  void numbers(ImmutableLongArray values, boolean bool) {
    for (int i = 0; i < values.length(); i++) {
      if (i > 0) {
        out.append(", ");
      }
      if (bool) {
        out.append(values.get(i) != 0);
      } else {
        out.append(values.get(i));
      }
    }
  }

  @Override
  public Void longs(Attribute.Longs attribute) {
    out.append("array<").append(attribute.element().mlirName());
    if (!attribute.values().isEmpty()) {
      out.append(": ");
      numbers(attribute.values(), attribute.element().isBool());
    }
    out.append('>');
    return null;
  }

  @Override
  public Void doubles(Attribute.Doubles attribute) {
    out.append("array<").append(attribute.element().mlirName());
    ImmutableList<Double> values = attribute.values();
    for (int i = 0; i < values.size(); i++) {
      out.append(i == 0 ? ": " : ", ");
      FloatText.write(out, values.get(i), attribute.element());
    }
    out.append('>');
    return null;
  }

  @Override
  public Void type(Attribute.TypeOf attribute) {
    type(attribute.type());
    return null;
  }

  @Override
  public Void symbol(Attribute.Symbol attribute) {
    String separator = "";
    for (String name : attribute.path()) {
      out.append(separator);
      symbolName(out, name);
      separator = "::";
    }
    return null;
  }

  @Override
  public Void word(Attribute.Word attribute) {
    int dot = attribute.kind().indexOf('.');
    if (dot < 0) {
      out.append(attribute.value());
    } else {
      out.append('#')
          .append(attribute.kind(), 0, dot)
          .append('<')
          .append(attribute.kind(), dot + 1, attribute.kind().length())
          .append(' ')
          .append(attribute.value())
          .append('>');
    }
    return null;
  }

  @Override
  public Void struct(Attribute.Struct attribute) {
    if (Locations.isLocation(attribute)) {
      aliases.write(out, attribute, true);
      return null;
    }
    out.append('#').append(attribute.kind());
    fields(attribute);
    return null;
  }

  /** Writes {@code <key = value, ...>}, in the order of the dialect. */
  void fields(Attribute.Struct struct) {
    out.append('<');
    String separator = "";
    Attributes ordered = MlirStructs.canonical(struct.kind(), struct.fields());
    for (int i = 0; i < ordered.size(); i++) {
      out.append(separator).append(ordered.name(i)).append(" = ");
      field(ordered.value(i));
      separator = ", ";
    }
    out.append('>');
  }

  /** Writes a value without its type. */
  void bare(Attribute value) {
    if (value instanceof Attribute.Int) {
      Attribute.Int number = (Attribute.Int) value;
      out.append(
          number.type() != null && number.type().isUnsigned()
              ? Long.toUnsignedString(number.value())
              : Long.toString(number.value()));
    } else {
      element(value);
    }
  }

  private void field(Attribute value) {
    if (value instanceof Attribute.Longs) {
      out.append('[');
      numbers(((Attribute.Longs) value).values(), false);
      out.append(']');
    } else if (value instanceof Attribute.Int) {
      out.append(((Attribute.Int) value).value());
    } else if (value instanceof Attribute.Real) {
      FloatText.write(out, ((Attribute.Real) value).value(), ElementType.F64);
    } else {
      write(value);
    }
  }

  @Override
  public Void groups(Attribute.Groups attribute) {
    throw new IllegalArgumentException("replica groups of HLO text have no MLIR form");
  }

  @Override
  public Void raw(Attribute.Raw attribute) {
    out.append(attribute.text());
    return null;
  }

  /** Returns whether a literal is one value again and again. */
  static boolean isSplat(Literal literal) {
    int count = literal.count();
    if (literal.isSplat() || count == 1) {
      return count > 0;
    }
    for (int i = 1; i < count; i++) {
      if (!literal.sameBits(i, literal, 0)) {
        return false;
      }
    }
    return count > 0;
  }
}
