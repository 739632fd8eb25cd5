package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.op.MlirStructs;
import dev.lockstep.hlo.type.ElementType;
import org.jspecify.annotations.Nullable;

/**
 * Decodes {@code #dialect.name<...>}: enumerations become words, lists of {@code key = value}
 * become structs, everything else is kept as it is.
 */
final class DialectReader {
  private static final int MAX_DEPTH = 100;

  private final TextReader texts;
  private int depth;

  DialectReader(TextReader texts) {
    this.texts = texts;
  }

  Attribute read(Cursor cursor) {
    if (++depth > MAX_DEPTH) {
      throw cursor.error("nesting-too-deep", "the attribute is nested too deeply");
    }
    try {
      return nested(cursor);
    } finally {
      depth--;
    }
  }

  private Attribute nested(Cursor cursor) {
    cursor.blanks();
    int begin = cursor.at;
    if (cursor.at >= cursor.end || cursor.bytes[cursor.at] != '#') {
      return new Attribute.Raw(Spacing.normalise(cursor.item()));
    }
    cursor.at++;
    String name = cursor.word();
    if (cursor.at >= cursor.end || cursor.bytes[cursor.at] != '<') {
      Attribute alias = texts.attributeAlias("#" + name, false);
      if (alias != null) {
        return alias;
      }
      cursor.at = begin;
      if (name.indexOf('.') < 0) {
        throw cursor.error("undefined-alias", "undefined symbol alias id '" + name + "'");
      }
      cursor.item();
      return new Attribute.Raw("#" + name);
    }
    int body = cursor.at + 1;
    if (name.indexOf('.') < 0) {
      Attribute word = enumeration(cursor, name, body);
      if (word != null) {
        return word;
      }
    } else {
      cursor.at = body;
      Attributes fields = fields(cursor, '>');
      ImmutableList<String> allowed = MlirStructs.fieldsOf(name);
      if (allowed != null && (fields == null || !areAmong(fields, allowed))) {
        cursor.at = begin;
        throw cursor.error(
            "syntax", "expected fields of #" + name + ", each once: " + String.join(", ", allowed));
      }
      if (fields != null) {
        return new Attribute.Struct(name, MlirStructs.canonical(name, fields));
      }
      cursor.at = body;
      if (name.endsWith(".conv") && cursor.eat("raw")) {
        Attributes raw = fields(cursor, '>');
        String labels = raw == null ? null : ConvolutionText.labels(raw);
        if (labels != null) {
          return new Attribute.Raw("#" + name + "<" + labels + ">");
        }
      }
    }
    cursor.at = begin;
    String text = cursor.item();
    if (name.endsWith(".conv")) {
      String wrong = ConvolutionText.wrong(text.substring(name.length() + 2, text.length() - 1));
      if (wrong != null) {
        cursor.at = begin;
        throw cursor.error("syntax", wrong);
      }
    }
    boolean tight = name.startsWith("sdy.sharding") || name.equals("sdy.mesh");
    return new Attribute.Raw(
        name.startsWith("sdy.sharding_per_value")
            ? Spacing.tight(text)
            : tight
                ? "#" + name + Spacing.tight(text.substring(name.length() + 1))
                : Spacing.normalise(text));
  }

  private static boolean areAmong(Attributes fields, ImmutableList<String> allowed) {
    for (int i = 0; i < fields.size(); i++) {
      if (!allowed.contains(fields.name(i))) {
        return false;
      }
    }
    return true;
  }

  private static @Nullable Attribute enumeration(Cursor cursor, String dialect, int body) {
    cursor.at = body;
    String kind = cursor.word();
    String value = cursor.word();
    return !kind.isEmpty() && !value.isEmpty() && cursor.eat(">")
        ? new Attribute.Word(dialect + "." + kind, value)
        : null;
  }

  /** Returns {@code k = v, ...} up to {@code close}, or null when it is something else. */
  @Nullable Attributes fields(Cursor cursor, char close) {
    Attributes.Builder out = Attributes.builder();
    if (cursor.peek() == close) {
      cursor.at++;
      return out.build();
    }
    do {
      String key = cursor.word();
      if (key.isEmpty() || !cursor.eat("=") || out.has(key)) {
        return null;
      }
      out.put(key, value(cursor));
      if (cursor.peek() == close) {
        cursor.at++;
        return out.build();
      }
    } while (cursor.eat(",") && cursor.peek() != close);
    return cursor.eat(String.valueOf(close)) ? out.build() : null;
  }

  private Attribute value(Cursor cursor) {
    int next = cursor.peek();
    int begin = cursor.at;
    if (next == '#') {
      return read(cursor);
    }
    String text = withoutComments(cursor.item());
    int end = cursor.at;
    Attribute simple = simple(text);
    if (simple != null) {
      return simple;
    }
    if (next == '[') {
      Cursor inner = new Cursor(cursor.source, begin + 1, end);
      Attribute list = list(inner);
      if (list != null) {
        return list;
      }
    }
    return new Attribute.Raw(Spacing.normalise(text));
  }

  /** Returns {@code text} without comments; one that holds strings is left alone. */
  private static String withoutComments(String text) {
    return text.contains("//") && text.indexOf('"') < 0
        ? text.replaceAll("//[^\n]*", "").strip()
        : text;
  }

  private @Nullable Attribute simple(String text) {
    if (text.isEmpty()) {
      return null;
    }
    char first = text.charAt(0);
    if (first == '-' || first >= '0' && first <= '9') {
      try {
        return text.indexOf('.') > 0
            ? new Attribute.Real(NumberReader.parse(text), ElementType.F64)
            : Attribute.Int.untyped(Long.parseLong(text));
      } catch (IllegalArgumentException e) {
        return null;
      }
    }
    if (first == '"' && text.indexOf('"', 1) == text.length() - 1) {
      return texts.unquote(text);
    }
    if (text.equals("true") || text.equals("false")) {
      return Attribute.Bool.of(text.equals("true"));
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (!(Character.isLetterOrDigit(c) || c == '_')) {
        return null;
      }
    }
    return new Attribute.Word("", text);
  }

  /** Returns the list behind its opening bracket, or null when the elements are of other kinds. */
  private @Nullable Attribute list(Cursor cursor) {
    ImmutableLongArray.Builder longs = ImmutableLongArray.builder();
    ImmutableList.Builder<Attribute> attributes = ImmutableList.builder();
    int numbers = 0;
    int others = 0;
    if (cursor.peek() != ']') {
      do {
        try {
          if (cursor.peek() == '#') {
            attributes.add(read(cursor));
            others++;
          } else {
            longs.add(Long.parseLong(cursor.item()));
            numbers++;
          }
        } catch (NumberFormatException e) {
          return null;
        }
      } while (cursor.eat(","));
    }
    if (!cursor.eat("]") || numbers > 0 && others > 0) {
      return null;
    }
    return others > 0
        ? new Attribute.Array(attributes.build())
        : new Attribute.Longs(longs.build(), ElementType.I64);
  }

  /** Returns {@code <k = v, ...>} of {@code kind}; the cursor stands before the bracket. */
  Attribute struct(String kind, Cursor cursor) throws DiagnosticException {
    cursor.expect("<");
    Attributes fields = fields(cursor, '>');
    if (fields == null) {
      throw cursor.error("syntax", "expected key = value");
    }
    return new Attribute.Struct(kind, fields);
  }
}
