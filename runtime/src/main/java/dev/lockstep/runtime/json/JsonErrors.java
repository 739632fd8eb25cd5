package dev.lockstep.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.google.common.primitives.Ints;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.io.IOException;

/** What is wrong with a text that is no JSON, in our words and with a place. */
public final class JsonErrors {
  private static final JsonFactory FACTORY =
      JsonFactory.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private JsonErrors() {}

  /** Returns a parser of {@code source} that refuses a name that stands twice in one object. */
  public static JsonParser parser(Source source) throws IOException {
    return FACTORY.createParser(source.bytes());
  }

  /** Returns the place of the token at which {@code parser} is. */
  public static Location place(JsonParser parser, Source source) {
    int begin = offset(parser.currentTokenLocation(), source);
    return new Location(source, begin, Math.max(begin, here(parser, source)));
  }

  /** Returns the offset up to which {@code parser} has read. */
  static int here(JsonParser parser, Source source) {
    return offset(parser.currentLocation(), source);
  }

  private static int offset(JsonLocation location, Source source) {
    // Texts in UTF-16 and UTF-32 are read by characters, which say no byte.
    return Ints.constrainToRange(Ints.saturatedCast(location.getByteOffset()), 0, source.length());
  }

  /** Returns the diagnostic for the failure {@code e} of reading {@code source}. */
  public static DiagnosticException of(JsonProcessingException e, Source source, String code) {
    int at = e.getLocation() == null ? 0 : offset(e.getLocation(), source);
    if (e instanceof JsonEOFException) {
      return DiagnosticException.error(
          code,
          "this is no JSON: the text ends within a value",
          new Location(source, source.length(), source.length()));
    }
    Location place = word(source, at);
    String found = source.text(place.begin(), place.end());
    if (e instanceof StreamConstraintsException) {
      return DiagnosticException.error(code, "this is nested too deeply, or too long", place);
    }
    if (e.getOriginalMessage().startsWith("Duplicate")) {
      return DiagnosticException.error(code, "the name " + found + " is given twice", place);
    }
    boolean shown = found.chars().allMatch(c -> c >= ' ' && c < 127);
    return DiagnosticException.error(
        code,
        "this is no JSON"
            + (found.isBlank() || !shown ? "" : ": '" + found + "' cannot stand here"),
        place);
  }

  /** Returns the word, string or sign that ends at, or holds, the byte before {@code at}. */
  private static Location word(Source source, int at) {
    byte[] bytes = source.bytes();
    int begin = Math.max(0, Math.min(at, bytes.length) - 1);
    int end = Math.min(begin + 1, bytes.length);
    if (begin < bytes.length && bytes[begin] == '"') {
      while (begin > 0 && bytes[begin - 1] != '"' && bytes[begin - 1] != '\n') {
        begin--;
      }
      begin = Math.max(0, begin - 1);
      return new Location(source, begin, end);
    }
    while (begin > 0 && end - begin < 40 && isWord(bytes[begin]) && isWord(bytes[begin - 1])) {
      begin--;
    }
    while (end < bytes.length && end - begin < 40 && isWord(bytes[begin]) && isWord(bytes[end])) {
      end++;
    }
    return new Location(source, begin, end);
  }

  private static boolean isWord(byte b) {
    return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_';
  }
}
