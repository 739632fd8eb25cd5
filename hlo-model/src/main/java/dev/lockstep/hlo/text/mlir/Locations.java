package dev.lockstep.hlo.text.mlir;

import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;

/** MLIR locations as attributes: structs whose kind starts with {@code loc.}. */
final class Locations {
  static final String FILE = "loc.file";
  static final String NAME = "loc.name";
  static final String CALL_SITE = "loc.callsite";
  static final String FUSED = "loc.fused";
  static final String METADATA = "metadata";
  static final String PARTS = "locations";
  static final String CHILD = "child";
  static final String CALLEE = "callee";
  static final String CALLER = "caller";

  /** {@code loc(unknown)}. */
  static final Attribute UNKNOWN = new Attribute.Struct("loc.unknown", Attributes.EMPTY);

  private Locations() {}

  static boolean isLocation(Attribute attribute) {
    return attribute instanceof Attribute.Struct
        && ((Attribute.Struct) attribute).kind().startsWith("loc.");
  }

  static Attribute file(Attribute.Str name, long line, long column, long endLine, long endColumn) {
    Attributes.Builder fields = Attributes.builder();
    fields.put("file", name);
    fields.put("line", Attribute.Int.untyped(line));
    fields.put("column", Attribute.Int.untyped(column));
    if (endLine != line || endColumn != column) {
      fields.put("end_line", Attribute.Int.untyped(endLine));
      fields.put("end_column", Attribute.Int.untyped(endColumn));
    }
    return new Attribute.Struct(FILE, fields.build());
  }

  static Attribute name(Attribute.Str name, Attribute child) {
    return new Attribute.Struct(NAME, Attributes.of("name", name, CHILD, child));
  }

  static Attribute callSite(Attribute callee, Attribute caller) {
    return new Attribute.Struct(CALL_SITE, Attributes.of(CALLEE, callee, CALLER, caller));
  }
}
