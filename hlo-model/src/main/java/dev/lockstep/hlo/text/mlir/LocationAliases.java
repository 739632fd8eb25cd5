package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The aliases {@code #loc}, {@code #loc1}, ... in MLIR's order: by how deeply locations nest, then
 * by when the printer meets them. Those that arguments of blocks have are written before the
 * module, the others behind it.
 */
final class LocationAliases {
  private static final class Entry {
    final Attribute location;
    int depth = 1;
    boolean deferred;
    String name = "";

    Entry(Attribute location, boolean deferred) {
      this.location = location;
      this.deferred = deferred;
    }
  }

  private final Map<Attribute, Entry> entries = new HashMap<>();
  private final List<Entry> order = new ArrayList<>();

  /** Notes that the printer meets {@code location}. */
  void visit(Attribute location, boolean deferrable) {
    meet(location, deferrable);
  }

  private int meet(Attribute location, boolean deferrable) {
    Entry entry = entries.get(location);
    if (entry != null) {
      if (!deferrable) {
        undefer(entry);
      }
      return entry.depth;
    }
    entry = new Entry(location, deferrable);
    entries.put(location, entry);
    order.add(entry);
    int deepest = 0;
    for (Attribute child : children(location)) {
      deepest = Math.max(deepest, meet(child, deferrable));
    }
    if (deepest > 0) {
      entry.depth = deepest + 1;
    }
    return entry.depth;
  }

  private void undefer(Entry entry) {
    if (!entry.deferred) {
      return;
    }
    entry.deferred = false;
    for (Attribute child : children(entry.location)) {
      Entry inner = entries.get(child);
      if (inner != null) {
        undefer(inner);
      }
    }
  }

  /** Returns the locations that are printed within {@code location}. */
  private static List<Attribute> children(Attribute location) {
    Attribute.Struct struct = (Attribute.Struct) location;
    List<Attribute> out = new ArrayList<>(2);
    switch (struct.kind()) {
      case Locations.NAME -> {
        Attribute child = struct.fields().get(Locations.CHILD);
        if (child != null && !child.equals(Locations.UNKNOWN)) {
          out.add(child);
        }
      }
      case Locations.CALL_SITE -> {
        add(out, struct.fields().get(Locations.CALLEE));
        add(out, struct.fields().get(Locations.CALLER));
      }
      case Locations.FUSED -> {
        Attribute parts = struct.fields().get(Locations.PARTS);
        if (parts instanceof Attribute.Array) {
          out.addAll(((Attribute.Array) parts).elements());
        }
      }
      default -> {}
    }
    return out;
  }

  private static void add(List<Attribute> out, @Nullable Attribute attribute) {
    if (attribute != null) {
      out.add(attribute);
    }
  }

  /** Gives names; nothing may be visited afterwards. */
  void number() {
    order.sort(Comparator.comparingInt(entry -> entry.depth));
    for (int i = 0; i < order.size(); i++) {
      order.get(i).name = i == 0 ? "#loc" : "#loc" + i;
    }
  }

  /** Writes the definitions that stand before the module, or those behind it. */
  void define(StringBuilder out, boolean deferred) {
    for (Entry entry : order) {
      if (entry.deferred == deferred) {
        out.append(entry.name).append(" = loc(");
        inner(out, entry.location);
        out.append(")\n");
      }
    }
  }

  /** Writes {@code loc(#loc3)}, or the location itself where MLIR takes no alias. */
  void write(StringBuilder out, Attribute location, boolean alias) {
    out.append("loc(");
    if (alias) {
      reference(out, location);
    } else {
      inner(out, location);
    }
    out.append(')');
  }

  private void reference(StringBuilder out, Attribute location) {
    Entry entry = entries.get(location);
    if (entry == null) {
      inner(out, location);
    } else {
      out.append(entry.name);
    }
  }

  private void inner(StringBuilder out, Attribute location) {
    Attribute.Struct struct = (Attribute.Struct) location;
    Attributes fields = struct.fields();
    switch (struct.kind()) {
      case Locations.FILE -> file(out, fields);
      case Locations.NAME -> {
        AttributeWriter.quote(out, (Attribute.Str) fields.value(0));
        for (Attribute child : children(location)) {
          out.append('(');
          reference(out, child);
          out.append(')');
        }
      }
      case Locations.CALL_SITE -> {
        out.append("callsite(");
        List<Attribute> both = children(location);
        reference(out, both.get(0));
        out.append(" at ");
        reference(out, both.get(1));
        out.append(')');
      }
      case Locations.FUSED -> {
        out.append("fused");
        Attribute metadata = fields.get(Locations.METADATA);
        if (metadata instanceof Attribute.Raw) {
          out.append('<').append(((Attribute.Raw) metadata).text()).append('>');
        }
        out.append('[');
        String separator = "";
        for (Attribute part : children(location)) {
          out.append(separator);
          reference(out, part);
          separator = ", ";
        }
        out.append(']');
      }
      default -> out.append("unknown");
    }
  }

  private static void file(StringBuilder out, Attributes fields) {
    AttributeWriter.quote(out, (Attribute.Str) fields.value(0));
    long line = number(fields, "line");
    out.append(':').append(line).append(':').append(number(fields, "column"));
    if (fields.has("end_line")) {
      long endLine = number(fields, "end_line");
      out.append(" to ");
      if (endLine != line) {
        out.append(endLine);
      }
      out.append(':').append(number(fields, "end_column"));
    }
  }

  private static long number(Attributes fields, String name) {
    Attribute value = fields.get(name);
    return value instanceof Attribute.Int ? ((Attribute.Int) value).value() : 0;
  }
}
