package dev.lockstep.pass;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Location;
import dev.lockstep.hlo.diag.Source;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Reads the text form of a {@link Pipeline}. Used once. */
final class PipelineReader {
  private static final PassOption<Long> MAX =
      PassOption.integer("max", Pipeline.DEFAULT_ROUNDS, 1, "How often the passes run at most");

  private static final int MAX_DEPTH = 50;

  private final String text;
  private final PassRegistry registry;
  private final Source source;
  private int at;
  private int depth;

  PipelineReader(String text, PassRegistry registry) {
    this.text = text;
    this.registry = registry;
    this.source = Source.of("<pipeline>", text);
  }

  Pipeline read() {
    Pipeline pipeline = pipeline();
    if (at < text.length()) {
      throw error("expected ',' or the end of the pipeline", at, at + 1);
    }
    return pipeline;
  }

  private Pipeline pipeline() {
    ImmutableList.Builder<Pipeline.Step> steps = ImmutableList.builder();
    do {
      steps.add(step());
    } while (take(','));
    return new Pipeline(steps.build());
  }

  private Pipeline.Step step() {
    skipBlanks();
    int begin = at;
    String name = word("the name of a pass");
    int end = at;
    if (name.equals("fixpoint")) {
      PassOptions options = options("fixpoint", ImmutableList.of(MAX));
      expect('(');
      if (++depth > MAX_DEPTH) {
        throw error("fixpoints are nested too deeply", begin, end);
      }
      Pipeline body = pipeline();
      depth--;
      expect(')');
      return new Pipeline.Fixpoint(body, Math.toIntExact(options.get(MAX)));
    }
    Optional<Pass> pass = registry.find(name);
    if (pass.isEmpty()) {
      throw error(registry.unknown(name), begin, end);
    }
    return new Pipeline.Single(pass.get(), options(name, pass.get().info().options()));
  }

  private PassOptions options(String owner, ImmutableList<PassOption<?>> known) {
    if (!take('{')) {
      return PassOptions.NONE;
    }
    Map<String, String> texts = new LinkedHashMap<>();
    while (!take('}')) {
      if (!texts.isEmpty()) {
        expect(',');
      }
      skipBlanks();
      int begin = at;
      String name = word("the name of an option");
      int end = at;
      PassOption<?> option =
          known.stream()
              .filter(o -> o.name().equals(name))
              .findFirst()
              .orElseThrow(() -> error(unknownOption(owner, name, known), begin, end));
      if (texts.containsKey(name)) {
        throw error("option '" + name + "' is given twice", begin, end);
      }
      String value = "true";
      int valueBegin = at;
      if (take('=')) {
        skipBlanks();
        valueBegin = at;
        value = value();
      }
      if (option.read(value) == null) {
        throw error(
            "option '" + name + "' is '" + value + "', must be " + option.expected(),
            valueBegin,
            at);
      }
      texts.put(name, value);
    }
    return texts.isEmpty() ? PassOptions.NONE : new PassOptions(ImmutableMap.copyOf(texts));
  }

  private static String unknownOption(
      String owner, String name, ImmutableList<PassOption<?>> known) {
    String have =
        known.isEmpty()
            ? "it has none"
            : "it has " + known.stream().map(PassOption::name).collect(Collectors.joining(", "));
    return owner + " has no option '" + name + "'; " + have;
  }

  private String word(String expected) {
    int begin = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "-_".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    if (begin == at) {
      throw error("expected " + expected, at, at + 1);
    }
    return text.substring(begin, at);
  }

  private String value() {
    int begin = at;
    while (at < text.length() && " ,{}()".indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return text.substring(begin, at);
  }

  private boolean take(char c) {
    skipBlanks();
    if (at < text.length() && text.charAt(at) == c) {
      at++;
      skipBlanks();
      return true;
    }
    return false;
  }

  private void expect(char c) {
    if (!take(c)) {
      throw error("expected '" + c + "'", at, at + 1);
    }
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private DiagnosticException error(String message, int begin, int end) {
    return DiagnosticException.error(
        Pipeline.CODE, message, new Location(source, offset(begin), offset(end)));
  }

  private int offset(int index) {
    int within = Math.min(index, text.length());
    return text.substring(0, within).getBytes(StandardCharsets.UTF_8).length;
  }
}
