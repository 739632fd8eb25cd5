package dev.lockstep.pass.analysis;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.literal.LiteralBuilder;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the dictionary that HLO text gives as {@code backend_config} of a typed custom call: MLIR
 * attributes, of which calls need integers, flags, strings, lists and dense tensors of integers.
 *
 * <p>Nesting is bounded, so that no text can exhaust the stack.
 */
public final class ConfigText {
  private static final int MAX_DEPTH = 16;

  /** What is wrong with a text, in words for a diagnostic. */
  public static final class Malformed extends Exception {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message);
    }
  }

  private final String text;
  private int at;

  private ConfigText(String text) {
    this.text = text;
  }

  /**
   * Returns the entries of {@code text}.
   *
   * @throws Malformed if it is not a dictionary of such attributes
   */
  public static Attributes read(String text) throws Malformed {
    ConfigText reader = new ConfigText(text);
    Attributes entries = reader.dict(0);
    if (reader.peek() != '\0') {
      throw reader.malformed("nothing more");
    }
    return entries;
  }

  private Attributes dict(int depth) throws Malformed {
    expect('{');
    Attributes.Builder out = Attributes.builder();
    while (!accept('}')) {
      String name = peek() == '"' ? string() : word();
      if (out.has(name)) {
        throw new Malformed("'" + name + "' is given twice");
      }
      out.put(name, accept('=') ? attribute(depth + 1) : Attribute.Unit.UNIT);
      if (!accept(',') && peek() != '}') {
        throw malformed("',' or '}'");
      }
    }
    return out.build();
  }

  private Attribute attribute(int depth) throws Malformed {
    if (depth > MAX_DEPTH) {
      throw malformed("less nesting");
    }
    char c = peek();
    if (c == '"') {
      return Attribute.Str.of(string());
    }
    if (c == '[') {
      return new Attribute.Array(list(depth));
    }
    if (c == '{') {
      return new Attribute.Dict(dict(depth));
    }
    if (c == '-' || Character.isDigit(c)) {
      long value = integer();
      return accept(':') ? new Attribute.Int(value, element(word())) : Attribute.Int.i64(value);
    }
    String word = word();
    return switch (word) {
      case "true" -> Attribute.Bool.TRUE;
      case "false" -> Attribute.Bool.FALSE;
      case "unit" -> Attribute.Unit.UNIT;
      case "dense" -> dense();
      case "array" -> array();
      default -> throw malformed("an attribute");
    };
  }

  private ImmutableList<Attribute> list(int depth) throws Malformed {
    expect('[');
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    while (!accept(']')) {
      out.add(attribute(depth + 1));
      if (!accept(',') && peek() != ']') {
        throw malformed("',' or ']'");
      }
    }
    return out.build();
  }

  /** Reads {@code <[[0, 1]]> : tensor<1x2xi64>}. */
  private Attribute dense() throws Malformed {
    expect('<');
    List<Long> values = new ArrayList<>();
    numbers(values, 0);
    expect('>');
    expect(':');
    TensorType type = tensorType();
    long count = type.count();
    if (values.size() != count && !(values.size() == 1 && count > 0) || count > 1 << 24) {
      throw new Malformed("dense has " + values.size() + " numbers for " + type);
    }
    LiteralBuilder out = new LiteralBuilder(type);
    for (int i = 0; i < count; i++) {
      out.setLong(i, values.get(values.size() == 1 ? 0 : i));
    }
    return Attribute.Dense.of(out.build());
  }

  private void numbers(List<Long> out, int depth) throws Malformed {
    if (depth > MAX_DEPTH) {
      throw malformed("less nesting");
    }
    if (accept('[')) {
      while (!accept(']')) {
        numbers(out, depth + 1);
        if (!accept(',') && peek() != ']') {
          throw malformed("',' or ']'");
        }
      }
    } else if (peek() != '>') {
      out.add(integer());
    }
  }

  private TensorType tensorType() throws Malformed {
    if (!word().equals("tensor")) {
      throw malformed("a tensor type");
    }
    expect('<');
    int end = text.indexOf('>', at);
    if (end < 0) {
      throw malformed("'>'");
    }
    String[] parts = text.substring(at, end).trim().split("x", -1);
    at = end + 1;
    long[] dims = new long[parts.length - 1];
    for (int i = 0; i < dims.length; i++) {
      try {
        dims[i] = Long.parseLong(parts[i]);
      } catch (NumberFormatException e) {
        throw malformed("a static tensor type");
      }
      if (dims[i] < 0) {
        throw malformed("a static tensor type");
      }
    }
    return TensorType.of(element(parts[parts.length - 1]), dims);
  }

  /** Reads {@code <i64: 1, 2>}. */
  private Attribute array() throws Malformed {
    expect('<');
    ElementType element = element(word());
    ImmutableLongArray.Builder out = ImmutableLongArray.builder();
    if (accept(':')) {
      do {
        out.add(integer());
      } while (accept(','));
    }
    expect('>');
    return new Attribute.Longs(out.build(), element);
  }

  private ElementType element(String name) throws Malformed {
    ElementType element = ElementType.byMlirName(name);
    if (element == null || !element.isInteger() && !element.isBool()) {
      throw malformed("an integer type");
    }
    return element;
  }

  private long integer() throws Malformed {
    skipBlanks();
    int begin = at;
    if (at < text.length() && text.charAt(at) == '-') {
      at++;
    }
    while (at < text.length() && Character.isDigit(text.charAt(at))) {
      at++;
    }
    try {
      return Long.parseLong(text.substring(begin, at));
    } catch (NumberFormatException e) {
      throw malformed("an integer");
    }
  }

  private String word() throws Malformed {
    skipBlanks();
    int begin = at;
    while (at < text.length()
        && (Character.isLetterOrDigit(text.charAt(at)) || "_.$".indexOf(text.charAt(at)) >= 0)) {
      at++;
    }
    if (at == begin) {
      throw malformed("a word");
    }
    return text.substring(begin, at);
  }

  private String string() throws Malformed {
    expect('"');
    StringBuilder out = new StringBuilder();
    while (at < text.length() && text.charAt(at) != '"') {
      if (text.charAt(at) == '\\' && at + 1 < text.length()) {
        at++;
      }
      out.append(text.charAt(at++));
    }
    expect('"');
    return out.toString();
  }

  private void skipBlanks() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private char peek() {
    skipBlanks();
    return at < text.length() ? text.charAt(at) : '\0';
  }

  private boolean accept(char c) {
    if (peek() != c) {
      return false;
    }
    at++;
    return true;
  }

  private void expect(char c) throws Malformed {
    if (!accept(c)) {
      throw malformed("'" + c + "'");
    }
  }

  private Malformed malformed(String expected) {
    String rest = text.substring(Math.min(at, text.length()));
    return new Malformed(
        "expected "
            + expected
            + " before "
            + (rest.isEmpty()
                ? "the end"
                : "'" + rest.substring(0, Math.min(20, rest.length())) + "'"));
  }
}
