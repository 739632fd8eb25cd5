package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.Type;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Decodes the tokens that hold whole values, and knows the aliases of the text. */
final class TextReader {
  private final Source source;
  private final TypeReader types = new TypeReader(this);
  private final DialectReader dialects = new DialectReader(this);
  private final LocationReader locations = new LocationReader(this);
  private final Map<String, Attribute> attributeAliases = new HashMap<>();
  private final Map<String, Type> typeAliases = new HashMap<>();

  /** Where aliases of locations are defined, once one was used before its definition. */
  private @Nullable Map<String, Integer> later;

  TextReader(Source source) {
    this.source = source;
  }

  Source source() {
    return source;
  }

  LocationReader locations() {
    return locations;
  }

  TypeReader types() {
    return types;
  }

  // Aliases.

  void defineAttribute(String name, Attribute value) {
    attributeAliases.put(name, value);
  }

  void defineType(String name, Type type) {
    typeAliases.put(name, type);
  }

  @Nullable Type typeAlias(String name) {
    return typeAliases.get(name);
  }

  /** Returns what alias {@code name} stands for; locations may be defined further down. */
  @Nullable Attribute attributeAlias(String name, boolean location) {
    Attribute found = attributeAliases.get(name);
    if (found != null || !location) {
      return found;
    }
    Map<String, Integer> places = later;
    if (places == null) {
      places = findDefinitions();
      later = places;
    }
    Integer at = places.get(name);
    if (at == null) {
      return null;
    }
    MlirLexer lexer = new MlirLexer(source, source.length(), new Symbols(source.bytes()));
    lexer.moveTo(at);
    Tok token = new Tok();
    lexer.next(token);
    if (token.type != MlirText.LOC) {
      return null;
    }
    found = locations.read(new Cursor(source, token.begin, token.end));
    attributeAliases.put(name, found);
    return found;
  }

  /** Returns the offsets behind {@code #name =} at the beginnings of lines. */
  private Map<String, Integer> findDefinitions() {
    Map<String, Integer> out = new HashMap<>();
    byte[] bytes = source.bytes();
    boolean lineStart = true;
    for (int i = 0; i < bytes.length; i++) {
      if (lineStart && bytes[i] == '#') {
        Cursor cursor = new Cursor(source, i + 1, bytes.length);
        String name = "#" + cursor.word();
        if (cursor.eat("=")) {
          out.putIfAbsent(name, cursor.at);
        }
      }
      lineStart = bytes[i] == '\n' || lineStart && bytes[i] == ' ';
    }
    return out;
  }

  // Values.

  Type type(int begin, int end) {
    Cursor cursor = new Cursor(source, begin, end);
    Type type = types.read(cursor);
    cursor.blanks();
    if (cursor.at != end) {
      throw cursor.error("syntax", "expected end of type");
    }
    return type;
  }

  Attribute dialect(int begin, int end) {
    return dialects.read(new Cursor(source, begin, end));
  }

  Attribute dense(int begin, int end, Type type) {
    return new DenseReader(source, begin, end, type).read();
  }

  @Nullable Attribute word(String word) {
    switch (word) {
      case "true":
        return Attribute.Bool.TRUE;
      case "false":
        return Attribute.Bool.FALSE;
      case "unit":
        return Attribute.Unit.UNIT;
      default:
        return TypeReader.isScalar(word) ? new Attribute.TypeOf(new OpaqueType(word)) : null;
    }
  }

  /** Returns the number {@code text} of {@code type}; null stands for i64 or f64. */
  Attribute number(String text, @Nullable Type type) {
    boolean real = text.indexOf('.') >= 0 && !text.startsWith("0x");
    String name = type == null ? (real ? "f64" : "i64") : type.toString();
    ElementType element = ElementType.byMlirName(name);
    if (name.equals("index") && !real) {
      return Attribute.Int.untyped(NumberReader.integer(text, ElementType.I64));
    }
    if (element == null || element.isComplex()) {
      if (!(type instanceof OpaqueType)) {
        throw new IllegalArgumentException(
            (real ? "floating point" : "integer") + " literal not valid for specified type");
      }
      return new Attribute.Raw(text + " : " + name);
    }
    if (element.isFloat()) {
      return new Attribute.Real(NumberReader.real(text, element), element);
    }
    if (real) {
      throw new IllegalArgumentException("floating point value not valid for specified type");
    }
    long value = NumberReader.integer(text, element);
    return element.isBool() ? Attribute.Bool.of(value != 0) : new Attribute.Int(value, element);
  }

  /** Returns {@code array<...>}. */
  Attribute array(int begin, int end) {
    Cursor cursor = new Cursor(source, begin, end);
    cursor.expect("array");
    cursor.expect("<");
    String word = cursor.word();
    ElementType element = ElementType.byMlirName(word);
    if (element == null || element.isComplex()) {
      throw cursor.error(
          "array-type", "expected integer or float type of a dense array, got '" + word + "'");
    }
    ImmutableLongArray.Builder longs = ImmutableLongArray.builder();
    ImmutableList.Builder<Double> doubles = ImmutableList.builder();
    if (cursor.eat(":")) {
      do {
        cursor.blanks();
        int at = cursor.at;
        String text = cursor.item();
        try {
          if (element.isFloat()) {
            doubles.add(NumberReader.real(text, element));
          } else {
            longs.add(NumberReader.integer(text, element));
          }
        } catch (IllegalArgumentException e) {
          cursor.at = at;
          throw cursor.error("number", String.valueOf(e.getMessage()));
        }
      } while (cursor.eat(","));
    }
    cursor.expect(">");
    return element.isFloat()
        ? new Attribute.Doubles(doubles.build(), element)
        : new Attribute.Longs(longs.build(), element);
  }

  /** Returns the string that {@code quoted} stands for, with its escapes resolved. */
  Attribute.Str unquote(String quoted) {
    String inner = quoted.substring(1, quoted.length() - 1);
    if (inner.indexOf('\\') < 0) {
      return Attribute.Str.of(inner);
    }
    byte[] in = inner.getBytes(StandardCharsets.UTF_8);
    byte[] out = new byte[in.length];
    int n = 0;
    for (int i = 0; i < in.length; i++) {
      if (in[i] != '\\' || i + 1 == in.length) {
        out[n++] = in[i];
        continue;
      }
      byte c = in[++i];
      switch (c) {
        case '"', '\\' -> out[n++] = c;
        case 'n' -> out[n++] = '\n';
        case 't' -> out[n++] = '\t';
        default -> {
          int high = Character.digit(c, 16);
          int low = i + 1 < in.length ? Character.digit(in[i + 1], 16) : -1;
          if (high < 0 || low < 0) {
            throw new Cursor(source, 0, 0).error("escape", "unknown escape in string literal");
          }
          out[n++] = (byte) (high * 16 + low);
          i++;
        }
      }
    }
    String text = new String(out, 0, n, StandardCharsets.UTF_8);
    byte[] again = text.getBytes(StandardCharsets.UTF_8);
    boolean valid = again.length == n;
    for (int i = 0; valid && i < n; i++) {
      valid = again[i] == out[i];
    }
    return valid
        ? Attribute.Str.of(text)
        : new Attribute.Str(new String(out, 0, n, StandardCharsets.ISO_8859_1), true);
  }
}
