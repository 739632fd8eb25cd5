package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.grid.ReplicaGroups;

/** Writes attribute values in the forms that {@code AttributeReader} reads. */
final class AttributePrinter implements Attribute.Visitor<Void> {
  private final StringBuilder out;
  private final TypePrinter types;

  AttributePrinter(StringBuilder out, TypePrinter types) {
    this.out = out;
    this.types = types;
  }

  /** Appends {@code value}. */
  void print(Attribute value) {
    value.accept(this);
  }

  @Override
  public Void unit(Attribute.Unit attribute) {
    out.append("true");
    return null;
  }

  @Override
  public Void bool(Attribute.Bool attribute) {
    out.append(attribute.value());
    return null;
  }

  @Override
  public Void integer(Attribute.Int attribute) {
    out.append(attribute.value());
    return null;
  }

  @Override
  public Void floating(Attribute.Real attribute) {
    NumberText.digits(out, attribute.value(), 6);
    return null;
  }

  @Override
  public Void string(Attribute.Str attribute) {
    if (isJson(attribute.value())) {
      out.append(attribute.value());
    } else {
      Strings.write(out, attribute);
    }
    return null;
  }

  /** Returns whether XLA reads {@code text} back as one brace, so that it needs no quotes. */
  private static boolean isJson(String text) {
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (i == 0 && c != '{') {
        return false;
      }
      if (quoted) {
        if (c == '\\') {
          i++;
        } else if (c == '"') {
          quoted = false;
        }
      } else if (c == '"') {
        quoted = true;
      } else if (c == '{') {
        depth++;
      } else if (c == '}' && --depth == 0) {
        return i == text.length() - 1;
      }
    }
    return false;
  }

  @Override
  public Void array(Attribute.Array attribute) {
    ImmutableList<Attribute> elements = attribute.elements();
    // XLA writes lists of numbers without blanks and lists of anything else with them.
    String separator =
        !elements.isEmpty() && elements.get(0) instanceof Attribute.Longs ? "," : ", ";
    out.append('{');
    for (int i = 0; i < elements.size(); i++) {
      out.append(i == 0 ? "" : separator);
      elements.get(i).accept(this);
    }
    out.append('}');
    return null;
  }

  @Override
  public Void dict(Attribute.Dict attribute) {
    out.append('{');
    Attributes entries = attribute.entries();
    for (int i = 0; i < entries.size(); i++) {
      out.append(i == 0 ? "" : ",").append(entries.name(i)).append('=');
      entries.value(i).accept(this);
    }
    out.append('}');
    return null;
  }

  @Override
  public Void dense(Attribute.Dense attribute) {
    out.append(types.withLayout(attribute.type())).append(' ');
    LiteralPrinter.print(out, attribute.literal());
    return null;
  }

  @Override
  public Void longs(Attribute.Longs attribute) {
    row(attribute.values());
    return null;
  }

  private void row(ImmutableLongArray values) {
    out.append('{');
    for (int i = 0; i < values.length(); i++) {
      if (i > 0) {
        out.append(',');
      }
      out.append(values.get(i));
    }
    out.append('}');
  }

  @Override
  public Void doubles(Attribute.Doubles attribute) {
    out.append('{');
    for (int i = 0; i < attribute.values().size(); i++) {
      out.append(i == 0 ? "" : ",");
      NumberText.digits(out, attribute.values().get(i), 17);
    }
    out.append('}');
    return null;
  }

  @Override
  public Void type(Attribute.TypeOf attribute) {
    out.append(types.withLayout(attribute.type()));
    return null;
  }

  @Override
  public Void symbol(Attribute.Symbol attribute) {
    out.append('%').append(attribute.name());
    return null;
  }

  @Override
  public Void word(Attribute.Word attribute) {
    out.append(attribute.value());
    return null;
  }

  @Override
  public Void struct(Attribute.Struct attribute) {
    StructPrinter.print(out, attribute);
    return null;
  }

  @Override
  public Void groups(Attribute.Groups attribute) {
    ReplicaGroups groups = attribute.groups();
    if (groups instanceof ReplicaGroups.Mesh) {
      out.append(((ReplicaGroups.Mesh) groups).text());
    } else if (groups instanceof ReplicaGroups.Iota) {
      iota((ReplicaGroups.Iota) groups);
    } else {
      out.append('{');
      for (int i = 0; i < groups.lists().size(); i++) {
        out.append(i == 0 ? "" : ",");
        row(groups.lists().get(i));
      }
      out.append('}');
    }
    return null;
  }

  private void iota(ReplicaGroups.Iota groups) {
    out.append('[').append(groups.groupCount()).append(',').append(groups.groupSize());
    out.append("]<=[");
    dims(groups.reshape());
    out.append(']');
    ImmutableLongArray transpose = groups.transpose();
    if (transpose != null) {
      out.append("T(");
      dims(transpose);
      out.append(')');
    }
  }

  private void dims(ImmutableLongArray dims) {
    for (int i = 0; i < dims.length(); i++) {
      out.append(i == 0 ? "" : ",").append(dims.get(i));
    }
  }

  @Override
  public Void raw(Attribute.Raw attribute) {
    out.append(attribute.text());
    return null;
  }
}
