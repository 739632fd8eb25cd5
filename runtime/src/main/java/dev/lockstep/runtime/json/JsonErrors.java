package dev.lockstep.runtime.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
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
    if (e instanceof StreamConstraintsException) {
      return DiagnosticException.error(
          code, "this is nested too deeply, or too long", new Location(source, at, at));
    }
    if (e.getOriginalMessage().startsWith("Duplicate")) {
      Location name = nameBefore(source, at);
      return DiagnosticException.error(
          code, "the name " + source.text(name.begin(), name.end()) + " is given twice", name);
    }
    JsonGrammar.Problem problem = JsonGrammar.check(source.bytes());
    if (problem == null) {
      // Grammatical, and yet refused: escapes and encodings within strings.
      return DiagnosticException.error(
          code, "this string cannot be read", new Location(source, at, at));
    }
    if (problem.begin() == source.length()) {
      return DiagnosticException.error(
          code,
          "this is no JSON: expected " + problem.expected() + ", and the text ends here",
          new Location(source, source.length(), source.length()));
    }
    String found = source.text(problem.begin(), problem.end());
    boolean isShown = found.chars().allMatch(c -> c > ' ' && c < 127);
    return DiagnosticException.error(
        code,
        "this is no JSON: expected "
            + problem.expected()
            + (isShown ? ", found '" + found + "'" : ", found something else"),
        new Location(source, problem.begin(), problem.end()));
  }

  /** Returns the string that ends at, or right before, {@code at}. */
  private static Location nameBefore(Source source, int at) {
    byte[] bytes = source.bytes();
    int end = Math.min(at, bytes.length);
    while (end > 0 && bytes[end - 1] != '"') {
      end--;
    }
    int begin = Math.max(0, end - 2);
    while (begin > 0 && bytes[begin] != '"' && bytes[begin] != '\n') {
      begin--;
    }
    return new Location(source, begin, end);
  }
}
