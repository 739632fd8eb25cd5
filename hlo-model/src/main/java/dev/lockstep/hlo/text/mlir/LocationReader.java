package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import java.util.HashMap;
import java.util.Map;

/**
 * Decodes {@code loc(...)} into {@link Locations}' structs. Equal locations are one object, and an
 * alias is replaced by what it stands for, which may be written further down.
 */
final class LocationReader {
  private static final int MAX_DEPTH = 200;

  private final TextReader texts;
  private final Map<Attribute, Attribute> unique = new HashMap<>();
  private int depth;

  LocationReader(TextReader texts) {
    this.texts = texts;
  }

  /** Returns the location of a token {@code loc(...)}. */
  Attribute of(Tok token) {
    Sym sym = token.sym;
    if (sym != null && sym.attribute != null) {
      return sym.attribute;
    }
    Attribute found = read(new Cursor(texts.source(), token.begin, token.end));
    if (sym != null) {
      sym.attribute = found;
    }
    return found;
  }

  /** Returns the location {@code loc(...)} at the cursor. */
  Attribute read(Cursor cursor) {
    cursor.expect("loc");
    cursor.expect("(");
    Attribute found = inner(cursor);
    cursor.expect(")");
    return found;
  }

  private Attribute inner(Cursor cursor) {
    if (++depth > MAX_DEPTH) {
      throw cursor.error("nesting-too-deep", "the location is nested too deeply");
    }
    try {
      return unique.computeIfAbsent(plain(cursor), location -> location);
    } finally {
      depth--;
    }
  }

  private Attribute plain(Cursor cursor) {
    int next = cursor.peek();
    int begin = cursor.at;
    if (next == '"') {
      return named(cursor);
    }
    if (next == '#') {
      cursor.at++;
      String name = "#" + cursor.word();
      Attribute found = texts.attributeAlias(name, true);
      if (found == null) {
        cursor.at = begin;
        throw cursor.error(
            "undefined-alias", "operation location alias was never defined: " + name);
      }
      if (!Locations.isLocation(found)) {
        cursor.at = begin;
        throw cursor.error("syntax", "expected location, but " + name + " is something else");
      }
      return found;
    }
    if (cursor.startsWith("loc(")) {
      return read(cursor);
    }
    String word = cursor.word();
    switch (word) {
      case "unknown" -> {
        return Locations.UNKNOWN;
      }
      case "callsite" -> {
        cursor.expect("(");
        Attribute callee = inner(cursor);
        cursor.expect("at");
        Attribute caller = inner(cursor);
        cursor.expect(")");
        return Locations.callSite(callee, caller);
      }
      case "fused" -> {
        return fused(cursor);
      }
      default -> {
        cursor.at = begin;
        throw cursor.error("syntax", "expected location instance");
      }
    }
  }

  private Attribute named(Cursor cursor) {
    Attribute.Str name = texts.unquote(cursor.string());
    if (cursor.eat(":")) {
      long line = cursor.integer();
      cursor.expect(":");
      long column = cursor.integer();
      long endLine = line;
      long endColumn = column;
      if (cursor.eat("to")) {
        if (cursor.peek() != ':') {
          endLine = cursor.integer();
        }
        cursor.expect(":");
        endColumn = cursor.integer();
      }
      return Locations.file(name, line, column, endLine, endColumn);
    }
    if (cursor.eat("(")) {
      Attribute child = inner(cursor);
      cursor.expect(")");
      return Locations.name(name, child);
    }
    return Locations.name(name, Locations.UNKNOWN);
  }

  private Attribute fused(Cursor cursor) {
    Attributes.Builder fields = Attributes.builder();
    if (cursor.eat("<")) {
      cursor.blanks();
      int from = cursor.at;
      cursor.item();
      while (cursor.peek() == ',') {
        cursor.at++;
        cursor.item();
      }
      fields.put(
          Locations.METADATA, new Attribute.Raw(Spacing.normalise(cursor.text(from, cursor.at))));
      cursor.expect(">");
    }
    cursor.expect("[");
    ImmutableList.Builder<Attribute> parts = ImmutableList.builder();
    if (cursor.peek() != ']') {
      do {
        parts.add(inner(cursor));
      } while (cursor.eat(","));
    }
    cursor.expect("]");
    fields.put(Locations.PARTS, new Attribute.Array(parts.build()));
    return new Attribute.Struct(Locations.FUSED, fields.build());
  }
}
