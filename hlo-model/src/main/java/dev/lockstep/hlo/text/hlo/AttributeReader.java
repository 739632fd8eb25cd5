package dev.lockstep.hlo.text.hlo;

import com.google.common.collect.ImmutableList;
import com.google.common.primitives.ImmutableLongArray;
import dev.lockstep.hlo.attr.Attribute;
import dev.lockstep.hlo.attr.Attributes;
import dev.lockstep.hlo.diag.DiagnosticException;
import dev.lockstep.hlo.diag.Source;
import dev.lockstep.hlo.text.mlir.MlirAttributes;
import dev.lockstep.hlo.type.ElementType;
import dev.lockstep.hlo.type.FunctionType;
import dev.lockstep.hlo.type.TensorType;
import dev.lockstep.hlo.type.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what stands after {@code name=}; what fits no form is kept as text. */
final class AttributeReader {
  private static final Pattern MLIR_DICTIONARY =
      Pattern.compile("\\{\\s*[A-Za-z_][\\w.]*\\s*[=,}]");

  private final Cursor in;
  private final TypeReader types;
  private final LiteralReader literals;

  AttributeReader(Cursor in, TypeReader types, LiteralReader literals) {
    this.in = in;
    this.types = types;
    this.literals = literals;
  }

  /** Reads the value in the given range as {@code form} says. */
  Attribute read(AttributeForm form, int begin, int end) {
    in.over(begin, end);
    return switch (form) {
      case PLAIN -> plain(begin, end);
      case COMPUTATIONS -> Attribute.Symbol.of(name());
      case INSTRUCTIONS -> instructions();
      case REAL -> real(begin, end);
      case GROUPS -> GroupsReader.read(in, begin);
      case SLICE -> slice();
      case PADDING -> padding();
      case WINDOW -> WindowReader.read(in);
      case SHAPE -> shape();
      case SHAPES -> shapes();
      case PROGRAM -> program();
      case LITERAL -> literal(begin, end);
      case STRINGS -> strings();
      case CONFIG -> config(begin, end);
      case METADATA -> new Attribute.Raw(TextForms.metadata(in));
      case ALIASING -> new Attribute.Raw(TextForms.aliasing(in, false));
      case MODULE_ALIASING -> new Attribute.Raw(TextForms.aliasing(in, true));
      case TEXT -> new Attribute.Raw(in.source.text(begin, end));
    };
  }

  private Attribute plain(int begin, int end) {
    int c = in.peek();
    if (c == '{') {
      Attribute lists = lists();
      return lists != null ? lists : new Attribute.Raw(in.source.text(begin, end));
    }
    if (c == '"') {
      Attribute string = Strings.read(in);
      in.expectEnd();
      return string;
    }
    if (in.atInteger()) {
      long value = in.integer();
      if (in.atEnd()) {
        return Attribute.Int.untyped(value);
      }
      return new Attribute.Raw(in.source.text(begin, end));
    }
    String text = in.word();
    if (!in.atEnd() || text.isEmpty()) {
      return new Attribute.Raw(in.source.text(begin, end));
    }
    return switch (text) {
      case "true" -> Attribute.Bool.TRUE;
      case "false" -> Attribute.Bool.FALSE;
      default -> new Attribute.Word("", text);
    };
  }

  /** Reads {@code {0,1}} or {@code {{0,1},{2}}}; null for anything else in braces. */
  private @Nullable Attribute lists() {
    in.expect('{');
    if (in.peek() != '{') {
      ImmutableLongArray longs = list();
      return longs == null || !in.atEnd() ? null : new Attribute.Longs(longs, ElementType.I64);
    }
    ImmutableList.Builder<Attribute> rows = ImmutableList.builder();
    do {
      if (!in.accept('{')) {
        return null;
      }
      ImmutableLongArray row = list();
      if (row == null) {
        return null;
      }
      rows.add(new Attribute.Longs(row, ElementType.I64));
    } while (in.accept(','));
    return in.accept('}') && in.atEnd() ? new Attribute.Array(rows.build()) : null;
  }

  private @Nullable ImmutableLongArray list() {
    if (in.accept('}')) {
      return ImmutableLongArray.of();
    }
    ImmutableLongArray.Builder out = ImmutableLongArray.builder(4);
    do {
      if (!in.atInteger()) {
        return null;
      }
      out.add(in.integer());
    } while (in.accept(','));
    return in.accept('}') ? out.build() : null;
  }

  private String name() {
    in.accept('%');
    String name = in.word();
    if (name.isEmpty()) {
      throw in.expected("a name");
    }
    in.expectEnd();
    return name;
  }

  private Attribute instructions() {
    in.expect('{');
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    if (!in.accept('}')) {
      do {
        in.accept('%');
        String name = in.word();
        if (name.isEmpty()) {
          throw in.expected("a name");
        }
        out.add(Attribute.Symbol.of(name));
      } while (in.accept(','));
      in.expect('}');
    }
    in.expectEnd();
    return new Attribute.Array(out.build());
  }

  private Attribute real(int begin, int end) {
    String text = in.source.text(begin, end).trim();
    try {
      return new Attribute.Real((float) Double.parseDouble(text), null);
    } catch (NumberFormatException e) {
      throw in.error(begin, end, "expected a number");
    }
  }

  private Attribute slice() {
    List<Long> start = new ArrayList<>();
    List<Long> limit = new ArrayList<>();
    List<Long> strides = new ArrayList<>();
    in.expect('{');
    if (!in.accept('}')) {
      do {
        in.expect('[');
        start.add(in.integer());
        in.expect(':');
        limit.add(in.integer());
        strides.add(in.accept(':') ? in.integer() : 1L);
        in.expect(']');
      } while (in.accept(','));
      in.expect('}');
    }
    in.expectEnd();
    return new Attribute.Struct(
        "slice",
        Attributes.builder()
            .put("start", longs(start))
            .put("limit", longs(limit))
            .put("strides", longs(strides))
            .build());
  }

  private Attribute padding() {
    List<Long> low = new ArrayList<>();
    List<Long> high = new ArrayList<>();
    List<Long> interior = new ArrayList<>();
    while (!in.atEnd()) {
      low.add(in.integer());
      in.expect('_');
      high.add(in.integer());
      interior.add(in.accept('_') ? in.integer() : 0L);
      if (!in.atEnd()) {
        in.expect('x');
      }
    }
    return new Attribute.Struct(
        "padding",
        Attributes.builder()
            .put("low", longs(low))
            .put("high", longs(high))
            .put("interior", longs(interior))
            .build());
  }

  static Attribute.Longs longs(List<Long> values) {
    return new Attribute.Longs(ImmutableLongArray.copyOf(values), ElementType.I64);
  }

  private Attribute shape() {
    Type type = types.read();
    in.expectEnd();
    return new Attribute.TypeOf(type);
  }

  private Attribute shapes() {
    in.expect('{');
    ImmutableList.Builder<Attribute> out = ImmutableList.builder();
    if (!in.accept('}')) {
      do {
        out.add(new Attribute.TypeOf(types.read()));
      } while (in.accept(','));
      in.expect('}');
    }
    in.expectEnd();
    return new Attribute.Array(out.build());
  }

  private Attribute program() {
    in.expect('{');
    in.expect('(');
    ImmutableList.Builder<Type> inputs = ImmutableList.builder();
    if (!in.accept(')')) {
      do {
        inputs.add(types.read());
      } while (in.accept(','));
      in.expect(')');
    }
    in.expect('-');
    in.expect('>');
    Type result = types.read();
    in.expect('}');
    in.expectEnd();
    return new Attribute.TypeOf(new FunctionType(inputs.build(), ImmutableList.of(result)));
  }

  private Attribute literal(int begin, int end) {
    if (in.peek() == '(') {
      // The parts of a tuple, each with its shape.
      return new Attribute.Raw(in.source.text(begin, end));
    }
    Type type = types.read();
    if (!(type instanceof TensorType) || !((TensorType) type).isStatic()) {
      return new Attribute.Raw(in.source.text(begin, end));
    }
    in.peek();
    return literals.read((TensorType) type, in.at, end);
  }

  private Attribute strings() {
    in.expect('{');
    Attributes.Builder out = Attributes.builder();
    if (!in.accept('}')) {
      do {
        in.peek();
        int begin = in.at;
        String name = in.word();
        if (name.isEmpty()) {
          throw in.expected("a name");
        }
        if (out.has(name)) {
          throw in.error(begin, in.at, "'" + name + "' is given twice");
        }
        in.expect('=');
        out.put(name, in.peek() == '"' ? Strings.read(in) : new Attribute.Raw(braces()));
      } while (in.accept(','));
      in.expect('}');
    }
    in.expectEnd();
    return new Attribute.Dict(out.build());
  }

  /** Returns the text of a balanced brace, JSON or lists. */
  private String braces() {
    int begin = in.at;
    if (in.peek() != '{') {
      throw in.expected("a string or '{'");
    }
    in.at = new Balance(in.source).close(in.at);
    return in.source.text(begin, in.at);
  }

  /**
   * Reads a backend's configuration. XLA keeps it as a string and writes it without quotes when it
   * is a brace: JSON, or a dictionary of MLIR for the typed FFI, which passes look into.
   */
  private Attribute config(int begin, int end) {
    if (in.peek() != '"') {
      return configText(in.source.text(begin, end));
    }
    Attribute.Str string = Strings.read(in);
    in.expectEnd();
    return string.value().startsWith("{") && !string.bytes() ? configText(string.value()) : string;
  }

  private static Attribute configText(String text) {
    char second = text.length() > 1 ? text.charAt(1) : '"';
    boolean json = second == '"' || second == '}';
    if (!json && MLIR_DICTIONARY.matcher(text).lookingAt()) {
      try {
        return MlirAttributes.read(Source.of("backend_config", text));
      } catch (DiagnosticException e) {
        // It only looked like one; XLA does not care.
        return new Attribute.Raw(text);
      }
    }
    return new Attribute.Raw(text);
  }
}
