package dev.lockstep.runtime.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.primitives.Ints;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One value of a JSON file, its place, and what is in it. */
public final class JsonTree {
  /** What a value is. */
  public enum Kind {
    /** Named values. */
    OBJECT,
    /** Values in order. */
    LIST,
    /** A string. */
    STRING,
    /** A number, as it is written. */
    NUMBER,
    /** One of the words true, false and null. */
    WORD
  }

  private final Kind kind;
  private final String text;
  private final ImmutableMap<String, JsonTree> members;
  private final ImmutableList<JsonTree> elements;
  private final Location location;
  private final String code;

  private JsonTree(
      Kind kind,
      String text,
      ImmutableMap<String, JsonTree> members,
      ImmutableList<JsonTree> elements,
      Location location,
      String code) {
    this.kind = kind;
    this.text = text;
    this.members = members;
    this.elements = elements;
    this.location = location;
    this.code = code;
  }

  /**
   * Returns the one value that {@code source} holds.
   *
   * @param code the code of diagnostics about this file
   * @throws DiagnosticException when that is no JSON, holds a name twice, or goes on after it
   */
  public static JsonTree read(Source source, String code) {
    try (JsonParser parser = JsonErrors.parser(source)) {
      if (parser.nextToken() == null) {
        throw DiagnosticException.error(
            code, "the file is empty, must hold JSON", new Location(source, 0, 0));
      }
      JsonTree root = value(parser, source, code);
      if (parser.nextToken() != null) {
        throw DiagnosticException.error(
            code, "something stands after the value", JsonErrors.place(parser, source));
      }
      return root;
    } catch (JsonProcessingException e) {
      throw JsonErrors.of(e, source, code);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonTree value(JsonParser parser, Source source, String code) throws IOException {
    int begin = JsonErrors.place(parser, source).begin();
    ImmutableList.Builder<JsonTree> elements = ImmutableList.builder();
    Map<String, JsonTree> members = new LinkedHashMap<>();
    String text = "";
    Kind kind;
    switch (parser.currentToken()) {
      case START_OBJECT -> {
        kind = Kind.OBJECT;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
          String name = parser.currentName();
          parser.nextToken();
          members.put(name, value(parser, source, code));
        }
      }
      case START_ARRAY -> {
        kind = Kind.LIST;
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          elements.add(value(parser, source, code));
        }
      }
      default -> {
        text = parser.getText();
        kind =
            parser.currentToken() == JsonToken.VALUE_STRING
                ? Kind.STRING
                : parser.currentToken().isNumeric() ? Kind.NUMBER : Kind.WORD;
      }
    }
    int end = JsonErrors.here(parser, source);
    return new JsonTree(
        kind,
        text,
        ImmutableMap.copyOf(members),
        elements.build(),
        new Location(source, begin, Math.max(begin, end)),
        code);
  }

  /** Returns whether this is a {@code wanted}. */
  public boolean is(Kind wanted) {
    return kind == wanted;
  }

  /** Returns a string's characters, a number or a word; empty for lists and objects. */
  public String text() {
    return text;
  }

  /** Returns the values of an object by name, in the order of the file; else none. */
  public ImmutableMap<String, JsonTree> members() {
    return members;
  }

  /** Returns the values of a list; else none. */
  public ImmutableList<JsonTree> elements() {
    return elements;
  }

  /** Returns the member {@code name} of an object, or null. */
  public @Nullable JsonTree get(String name) {
    return members.get(name);
  }

  /** Returns this as an integer, null when it is none or beyond 32 bits. */
  public @Nullable Integer integer() {
    return kind == Kind.NUMBER ? Ints.tryParse(text) : null;
  }

  /** Returns the complaint {@code message} about this place. */
  public DiagnosticException error(String message) {
    return DiagnosticException.error(code, message, location);
  }

  /** Returns the text as it stands in the file. */
  @Override
  public String toString() {
    return location.source().text(location.begin(), location.end());
  }
}
