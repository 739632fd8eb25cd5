package dev.lockstep.hlo.text.mlir;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.op.TypeClass;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.FutureType;
import dev.lockstep.hlo.type.OpaqueType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.TokenType;
import dev.lockstep.hlo.type.TupleType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decodes types. */
final class TypeReader {
  private static final java.util.regex.Pattern SCALE =
      java.util.regex.Pattern.compile("[0-9]+\\.[0-9]*([eE][-+]?[0-9]+)?");

  private static final int MAX_DEPTH = 100;
  private static final int MAX_RANK = 1 << 16;

  private final TextReader texts;
  private int depth;

  TypeReader(TextReader texts) {
    this.texts = texts;
  }

  /** Returns whether {@code word} is a type of one word: {@code i32}, {@code index}. */
  static boolean isScalar(String word) {
    if (word.equals("index") || word.equals("none") || ElementType.byMlirName(word) != null) {
      return true;
    }
    int at = word.startsWith("si") || word.startsWith("ui") ? 2 : word.startsWith("i") ? 1 : 0;
    if (at == 0) {
      return word.equals("f80") || word.equals("f128") || word.equals("tf32");
    }
    for (int i = at; i < word.length(); i++) {
      if (word.charAt(i) < '0' || word.charAt(i) > '9') {
        return false;
      }
    }
    return word.length() > at && word.length() < at + 9;
  }

  /** Returns the type that the cursor stands before. */
  Type read(Cursor cursor) {
    if (++depth > MAX_DEPTH) {
      throw cursor.error("nesting-too-deep", "the type is nested too deeply");
    }
    try {
      return readNested(cursor);
    } finally {
      depth--;
    }
  }

  private Type readNested(Cursor cursor) {
    int next = cursor.peek();
    int begin = cursor.at;
    if (next == '!') {
      return dialect(cursor);
    }
    if (next == '(') {
      return function(cursor);
    }
    String word = cursor.word();
    if (cursor.at < cursor.end && cursor.bytes[cursor.at] == '<') {
      cursor.at++;
      switch (word) {
        case "tensor" -> {
          Type type = tensor(cursor, begin);
          cursor.expect(">");
          return type;
        }
        case "tuple" -> {
          ImmutableList<Type> elements = list(cursor, '>');
          cursor.expect(">");
          return new TupleType(elements);
        }
        case "complex", "vector", "memref" -> {
          skip(cursor);
          return new OpaqueType(Spacing.normalise(cursor.text(begin, cursor.at)));
        }
        default -> {
          cursor.at = begin;
          throw cursor.error("syntax", "expected type, got '" + word + "'");
        }
      }
    }
    if (!isScalar(word)) {
      cursor.at = begin;
      throw cursor.error("syntax", "expected type");
    }
    return new OpaqueType(word);
  }

  /** Moves behind the bracket that closes the level of the cursor. */
  private static void skip(Cursor cursor) {
    while (cursor.at < cursor.end) {
      cursor.item();
      if (cursor.peek() == ',') {
        cursor.at++;
      } else {
        cursor.at = Math.min(cursor.end, cursor.at + 1);
        return;
      }
    }
  }

  private ImmutableList<Type> list(Cursor cursor, char close) {
    ImmutableList.Builder<Type> out = ImmutableList.builder();
    if (cursor.peek() != close) {
      do {
        out.add(read(cursor));
      } while (cursor.eat(","));
    }
    return out.build();
  }

  private Type function(Cursor cursor) {
    cursor.expect("(");
    ImmutableList<Type> inputs = list(cursor, ')');
    cursor.expect(")");
    cursor.expect("->");
    ImmutableList<Type> results;
    if (cursor.peek() == '(') {
      cursor.expect("(");
      results = list(cursor, ')');
      cursor.expect(")");
    } else {
      results = ImmutableList.of(read(cursor));
    }
    return new FunctionType(inputs, results);
  }

  private Type dialect(Cursor cursor) {
    int begin = cursor.at++;
    String name = cursor.word();
    boolean body = cursor.at < cursor.end && cursor.bytes[cursor.at] == '<';
    if (!body) {
      if (name.equals("stablehlo.token")) {
        return TokenType.TOKEN;
      }
      Type alias = texts.typeAlias("!" + name);
      if (alias != null) {
        return alias;
      }
      if (name.indexOf('.') < 0) {
        cursor.at = begin;
        throw cursor.error("undefined-alias", "undefined symbol alias id '" + name + "'");
      }
      if (name.startsWith("stablehlo.")) {
        cursor.at = begin;
        throw cursor.error("unknown-type", "unknown type '!" + name + "'");
      }
      return new OpaqueType("!" + name);
    }
    cursor.at++;
    if (name.equals("stablehlo.future")) {
      ImmutableList<Type> types = list(cursor, '>');
      cursor.expect(">");
      for (Type type : types) {
        if (!TypeClass.TENSOR.admits(type)) {
          cursor.at = begin;
          throw cursor.error("future-type", "a future must be one of tensors, not of " + type);
        }
      }
      return new FutureType(types);
    }
    skip(cursor);
    return opaque(cursor.text(begin, cursor.at));
  }

  /** Keeps a type, with the scales of quantised ones written as MLIR writes numbers. */
  private static Type opaque(String text) {
    String normal = Spacing.normalise(text);
    if (!normal.contains("!quant.")) {
      return new OpaqueType(normal);
    }
    StringBuilder out = new StringBuilder();
    java.util.regex.Matcher matcher = SCALE.matcher(normal);
    int from = 0;
    while (matcher.find()) {
      out.append(normal, from, matcher.start());
      FloatText.write(out, NumberReader.parse(matcher.group()), ElementType.F64);
      from = matcher.end();
    }
    return new OpaqueType(out.append(normal, from, normal.length()).toString());
  }

  private Type tensor(Cursor cursor, int begin) {
    List<Long> dims = new ArrayList<>();
    boolean ranked = cursor.peek() != '*';
    if (!ranked) {
      cursor.at++;
      cursor.expect("x");
    }
    while (ranked && dimension(cursor, dims)) {
      if (dims.size() > MAX_RANK) {
        throw cursor.error("rank", "the type has too many dimensions");
      }
    }
    int from = cursor.at;
    ElementType element = element(cursor);
    if (!ranked || element == null) {
      if (cursor.at == from) {
        throw cursor.error("syntax", "expected type");
      }
      while (cursor.eat(",")) {
        cursor.item();
      }
      return opaque(cursor.text(begin, cursor.at) + ">");
    }
    ImmutableLongArray sizes = ImmutableLongArray.copyOf(dims);
    if (!cursor.eat(",")) {
      return TensorType.of(element, sizes);
    }
    cursor.blanks();
    int at = cursor.at;
    String text = cursor.item();
    Attribute encoding =
        texts.dialect(at, at + text.getBytes(java.nio.charset.StandardCharsets.UTF_8).length);
    ImmutableLongArray bounds = bounds(encoding);
    if (bounds != null && bounds.length() != sizes.length()) {
      cursor.at = at;
      throw cursor.error(
          "bounds",
          "Bounds length is "
              + bounds.length()
              + ", expected to be equal to rank("
              + sizes.length()
              + ") of the tensor");
    }
    return bounds == null
        ? TensorType.of(element, sizes, null, null, encoding)
        : TensorType.of(element, sizes, bounds, null, null);
  }

  /** Reads {@code 12x} or {@code ?x}; false when the element type follows. */
  private static boolean dimension(Cursor cursor, List<Long> dims) {
    int next = cursor.peek();
    if (next == '?') {
      cursor.at++;
      dims.add(TensorType.DYNAMIC);
    } else if (next >= '0' && next <= '9') {
      dims.add(cursor.integer());
    } else {
      return false;
    }
    cursor.blanks();
    if (cursor.at >= cursor.end || cursor.bytes[cursor.at] != 'x') {
      throw cursor.error("syntax", "expected 'x' in dimension list");
    }
    cursor.at++;
    return true;
  }

  /** Reads an element type; null when the model has no such type. */
  private @Nullable ElementType element(Cursor cursor) {
    if (cursor.peek() == '!') {
      dialectElement(cursor);
      return null;
    }
    int begin = cursor.at;
    String word = cursor.word();
    if (word.equals("complex") && cursor.eat("<")) {
      String part = cursor.word();
      cursor.expect(">");
      return ElementType.byMlirName("complex<" + part + ">");
    }
    ElementType found = ElementType.byMlirName(word);
    if (found == null && !isScalar(word)) {
      cursor.at = begin;
      if (word.equals("vector") || word.equals("tensor") || word.equals("memref")) {
        read(cursor);
        return null;
      }
      throw cursor.error("syntax", "expected type");
    }
    return found;
  }

  private static void dialectElement(Cursor cursor) {
    cursor.at++;
    cursor.word();
    if (cursor.at < cursor.end && cursor.bytes[cursor.at] == '<') {
      cursor.at++;
      skip(cursor);
    }
  }

  /** Returns the bounds that {@code encoding} gives, or null when it is something else. */
  private static @Nullable ImmutableLongArray bounds(Attribute encoding) {
    String text = "";
    if (encoding instanceof Attribute.Raw) {
      text = ((Attribute.Raw) encoding).text();
      if (!text.startsWith("#stablehlo.bounds<")) {
        return null;
      }
      text = text.substring("#stablehlo.bounds<".length(), text.length() - 1);
    } else if (encoding instanceof Attribute.Struct
        && ((Attribute.Struct) encoding).kind().equals("stablehlo.type_extensions")) {
      Attributes fields = ((Attribute.Struct) encoding).fields();
      Attribute value = fields.get("bounds");
      if (value instanceof Attribute.Longs) {
        return ((Attribute.Longs) value).values();
      }
      if (!(value instanceof Attribute.Raw)) {
        return null;
      }
      text = ((Attribute.Raw) value).text();
      text = text.substring(1, text.length() - 1);
    } else {
      return null;
    }
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
      String word = part.trim();
      try {
        out.add(word.equals("?") ? TensorType.DYNAMIC : Long.parseLong(word));
      } catch (NumberFormatException e) {
        return null;
      }
    }
    return out.build();
  }
}
