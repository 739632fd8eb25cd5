package dev.lockstep.runtime.values;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.literal.Literal;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.runtime.json.JsonErrors;
import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Values as JSON: {@code {"in0.dev1": {"type": "f32", "shape": [2, 3], "data": [1, "NaN", ...]}}},
 * data flat and row-major; NaN, infinities, -0.0 and integers beyond 2^53 as strings, complex
 * numbers as [real, imaginary].
 *
 * <p>Numbers are converted from their text, never by way of a wider or narrower number.
 */
final class JsonValues {
  private static final long EXACT = 1L << 53;

  private JsonValues() {}

  /**
   * Returns the values that {@code source} holds, by key.
   *
   * @throws DiagnosticException with {@code code}, when it holds something else
   */
  static ImmutableMap<String, Literal> read(Source source, String code) throws IOException {
    ImmutableMap.Builder<String, Literal> out = ImmutableMap.builder();
    String key = "";
    try (JsonParser parser = JsonErrors.parser(source)) {
      try {
        expect(parser.nextToken(), JsonToken.START_OBJECT, "an object of values");
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          key = parser.currentName();
          out.put(key, readValue(parser));
        }
        key = "";
        expect(parser.nextToken(), null, "one object");
      } catch (ValueFormatException e) {
        throw DiagnosticException.error(
            code,
            (key.isEmpty() ? "the file has " : "'" + key + "' has ") + e.getMessage(),
            JsonErrors.place(parser, source));
      }
      return out.buildOrThrow();
    } catch (JsonProcessingException e) {
      throw JsonErrors.of(e, source, code);
    }
  }

  private static Literal readValue(JsonParser parser) throws IOException, ValueFormatException {
    expect(parser.nextToken(), JsonToken.START_OBJECT, "an object with type, shape and data");
    ElementType element = null;
    ImmutableLongArray shape = null;
    List<String> numbers = null;
    boolean pairs = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String field = parser.currentName();
      parser.nextToken();
      switch (field) {
        case "type" -> element = elementType(parser.getText());
        case "shape" -> shape = readShape(parser);
        case "data" -> {
          numbers = new ArrayList<>();
          pairs = readData(parser, numbers);
        }
        default -> throw new ValueFormatException("an unknown field '" + field + "'");
      }
    }
    if (element == null || shape == null || numbers == null) {
      throw new ValueFormatException(
          "no '" + (element == null ? "type" : shape == null ? "shape" : "data") + "'");
    }
    return build(TensorType.of(element, shape), numbers, pairs);
  }

  private static ElementType elementType(String name) throws ValueFormatException {
    for (ElementType element : ElementType.values()) {
      if (name.equals(element.mlirName())
          || name.toLowerCase(Locale.ROOT).equals(element.hloName().toLowerCase(Locale.ROOT))) {
        return element;
      }
    }
    throw new ValueFormatException("an unknown type '" + name + "'");
  }

  private static ImmutableLongArray readShape(JsonParser parser)
      throws IOException, ValueFormatException {
    expect(parser.currentToken(), JsonToken.START_ARRAY, "a list as shape");
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      expect(parser.currentToken(), JsonToken.VALUE_NUMBER_INT, "whole numbers in its shape");
      long dim = parser.getLongValue();
      if (dim < 0) {
        throw new ValueFormatException("the dimension " + dim);
      }
      out.add(dim);
    }
    return out.build();
  }

  /** Adds the numbers' texts to {@code out}; returns whether they stood in pairs. */
  private static boolean readData(JsonParser parser, List<String> out)
      throws IOException, ValueFormatException {
    expect(parser.currentToken(), JsonToken.START_ARRAY, "a list as data");
    boolean pairs = false;
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.START_ARRAY) {
        out.add(number(parser));
        continue;
      }
      pairs = true;
      parser.nextToken();
      out.add(number(parser));
      parser.nextToken();
      out.add(number(parser));
      expect(parser.nextToken(), JsonToken.END_ARRAY, "pairs [real, imaginary]; data is flat");
    }
    return pairs;
  }

  private static String number(JsonParser parser) throws IOException, ValueFormatException {
    JsonToken token = parser.currentToken();
    if (token == null || !token.isScalarValue() || token == JsonToken.VALUE_NULL) {
      throw new ValueFormatException("something else than numbers in its data");
    }
    return parser.getText();
  }

  private static Literal build(TensorType type, List<String> numbers, boolean pairs)
      throws ValueFormatException {
    boolean complex = type.element().isComplex();
    int parts = complex ? 2 : 1;
    if (!numbers.isEmpty() && pairs != complex) {
      throw new ValueFormatException(
          complex ? "single numbers, must be [real, imaginary]" : "pairs in data of a real type");
    }
    if (numbers.size() % parts != 0 || type.count() != numbers.size() / parts) {
      throw new ValueFormatException(
          numbers.size() / parts + " elements, its shape has " + type.count());
    }
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < numbers.size() / parts; i++) {
      String text = numbers.get(i * parts);
      try {
        if (complex) {
          out.setComplex(i, parseDouble(text), parseDouble(numbers.get(2 * i + 1)));
        } else if (type.element() == ElementType.F32) {
          ((float[]) out.storage())[i] = parseFloat(text);
        } else if (type.element().isFloat()) {
          out.setDouble(i, parseDouble(text));
        } else {
          out.setLong(i, parseInteger(type.element(), text));
        }
      } catch (NumberFormatException e) {
        throw new ValueFormatException("'" + text + "', which is no " + type.element());
      }
    }
    return out.build();
  }

  private static double parseDouble(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "inf", "+inf", "infinity" -> Double.POSITIVE_INFINITY;
      case "-inf", "-infinity" -> Double.NEGATIVE_INFINITY;
      case "nan" -> Double.NaN;
      default -> Double.parseDouble(text);
    };
  }

  private static float parseFloat(String text) {
    double special = parseDouble(text);
    return Double.isFinite(special) ? Float.parseFloat(text) : (float) special;
  }

  private static long parseInteger(ElementType element, String text) {
    if (element.isBool() && (text.equals("true") || text.equals("false"))) {
      return text.equals("true") ? 1 : 0;
    }
    BigInteger value = new BigInteger(text);
    boolean signed = element.kind() == ElementType.Kind.SIGNED;
    if (signed
        ? value.bitLength() > element.bits() - 1
        : value.signum() < 0 || value.bitLength() > element.bits()) {
      throw new NumberFormatException(text);
    }
    return value.longValue();
  }

  private static void expect(@Nullable JsonToken got, @Nullable JsonToken wanted, String what)
      throws ValueFormatException {
    if (got != wanted) {
      throw new ValueFormatException("something else than " + what);
    }
  }

  /** Writes {@code values} in their order. */
  static void write(JsonGenerator out, Map<String, Literal> values) throws IOException {
    out.writeStartObject();
    for (Map.Entry<String, Literal> entry : values.entrySet()) {
      out.writeFieldName(entry.getKey());
      writeValue(out, entry.getValue());
    }
    out.writeEndObject();
  }

  private static void writeValue(JsonGenerator out, Literal literal) throws IOException {
    out.writeStartObject();
    out.writeStringField("type", literal.element().mlirName());
    out.writeArrayFieldStart("shape");
    for (int d = 0; d < literal.dims().length(); d++) {
      out.writeNumber(literal.dims().get(d));
    }
    out.writeEndArray();
    out.writeArrayFieldStart("data");
    for (int i = 0; i < literal.count(); i++) {
      writeElement(out, literal, i);
    }
    out.writeEndArray();
    out.writeEndObject();
  }

  private static void writeElement(JsonGenerator out, Literal literal, int i) throws IOException {
    ElementType element = literal.element();
    switch (element.kind()) {
      case BOOL -> out.writeBoolean(literal.getBoolean(i));
      case SIGNED -> {
        long value = literal.getLong(i);
        if (value >= -EXACT && value <= EXACT) {
          out.writeNumber(value);
        } else {
          out.writeString(Long.toString(value));
        }
      }
      case UNSIGNED -> {
        long value = literal.getLong(i);
        if (value >= 0 && value <= EXACT) {
          out.writeNumber(value);
        } else {
          out.writeString(Long.toUnsignedString(value));
        }
      }
      case FLOAT -> writeFloat(out, literal.getDouble(i), element == ElementType.F64);
      case COMPLEX -> {
        out.writeStartArray();
        writeFloat(out, literal.getDouble(i), element == ElementType.C128);
        writeFloat(out, literal.getImaginary(i), element == ElementType.C128);
        out.writeEndArray();
      }
    }
  }

  private static void writeFloat(JsonGenerator out, double value, boolean wide) throws IOException {
    if (!Double.isFinite(value) || value == 0 && 1 / value < 0) {
      out.writeString(Double.toString(value));
    } else if (wide) {
      out.writeNumber(value);
    } else {
      out.writeNumber((float) value);
    }
  }
}
